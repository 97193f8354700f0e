import type { ReviewItem } from '../../domain/gates.js';
import type { Job } from '../../domain/job.js';

/**
 * Why nobody can decide an item any more that nobody has decided; null = somebody has, or can. A
 * run that ends takes back what its other agents still asked.
 */
export function withdrawnText(
  item: Pick<ReviewItem, 'status' | 'withdrawn'>,
  { id, status, error }: Pick<Job, 'id' | 'status' | 'error'>,
): string | null {
  if (item.status !== 'pending' || !item.withdrawn) return null;
  if (status !== 'failed') return `withdrawn before anybody decided it: run ${id} is ${status}`;
  const again = `kit retry ${id} asks it anew`;
  return `withdrawn before anybody decided it: run ${id} failed${error === null ? '' : ` (${error})`}; ${again}`;
}
