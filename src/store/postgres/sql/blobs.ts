/**
 * `put_at` is the time of the last put: a blob that was put a moment ago is about to be named. The
 * bytes are not written again.
 */
export const PUT_BLOB =
  'INSERT INTO blobs (sha256, bytes, put_at) VALUES (@sha256, @bytes, @now) ON CONFLICT (sha256) DO UPDATE SET put_at = excluded.put_at';
export const GET_BLOB = 'SELECT bytes FROM blobs WHERE sha256 = @sha256';
