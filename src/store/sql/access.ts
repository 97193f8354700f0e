/** Statements about the access log, the same text in both dialects; named parameters. */

export const ADD_ACCESS = `
INSERT INTO serve_access (client_id, provider, method, route, status, request_id, at)
VALUES (@clientId, @provider, @method, @route, @status, @requestId, @at)`;

export const READ_ACCESS = 'SELECT * FROM serve_access ORDER BY ord DESC LIMIT @limit';
