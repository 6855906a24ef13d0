import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { In } from '../db/port-methods.ts'
import { query } from '../db/transaction.ts'

export const learnedPacing = {
  async keepLearning({ control }, { node, fence }, { campaign, data, atMs }) {
    await query(
      control,
      `insert into campaign_learning (campaign_id, node, fence, data, updated_at_ms)
       select $1, $2, $3, $4, $5 where exists (select from campaigns where id = $1)
       on conflict (campaign_id, node) do update set fence = excluded.fence, data = excluded.data,
         updated_at_ms = excluded.updated_at_ms where campaign_learning.fence <= excluded.fence`,
      [campaign, node, fence, JSON.stringify(data), atMs],
    )
  },

  async keptLearning({ control }, campaign, node) {
    const text = `select data from campaign_learning where campaign_id = $1
                   order by node = $2 desc, updated_at_ms desc, node limit 1`
    const rows = await query<{ data: object }>(control, text, [campaign, node])
    return rows[0]?.data
  },
} satisfies Partial<In<DialerRepository>>
