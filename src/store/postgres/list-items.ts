import type { ItemFilter, ItemPage } from '../../domain/ports/reviews.js';
import { decodeItem, type ItemRecord } from '../item-row.js';
import { itemConditions, totalOf, whereOf } from '../review-state.js';
import { GET_ITEM, OF_ROLES, OF_TOPOLOGIES } from './sql/reviews.js';
import type { SqlParams, SqlRunner } from './sql-runner.js';

/**
 * Oldest first, with the number of all that the filter finds. Only the conditions that the filter
 * names are part of the statement.
 */
export async function listItems(sql: SqlRunner, filter: ItemFilter): Promise<ItemPage> {
  const { conditions, params: named } = itemConditions(filter, { ofRoles: OF_ROLES, ofTopologies: OF_TOPOLOGIES });
  const { roles, topologies } = filter;
  const params: SqlParams = {
    ...named,
    ...(roles === undefined ? {} : { roles: roles }),
    ...(topologies === undefined ? {} : { topologies: topologies }),
  };
  const total = (await sql.get<{ total: number }>(totalOf(conditions), params))?.total ?? 0;
  const afterOrd =
    filter.afterId === undefined ? 0 : (await sql.get<ItemRecord>(GET_ITEM, { id: filter.afterId }))?.ord;
  if (afterOrd === undefined) return { items: [], hasMore: false, total };
  const page = `SELECT * FROM review_items ${whereOf([...conditions, 'ord > @afterOrd'])} ORDER BY ord LIMIT @limit`;
  const records = await sql.all<ItemRecord>(page, { ...params, afterOrd, limit: filter.limit + 1 });
  return { items: records.slice(0, filter.limit).map(decodeItem), hasMore: records.length > filter.limit, total };
}
