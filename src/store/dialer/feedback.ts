import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { In } from '../db/port-methods.ts'
import { query } from '../db/transaction.ts'

/** Feedback on a campaign and person (D-07, 204). Repeating changes nothing; an outgoing call has its task anyway. */
export const feedback = {
  async recordFeedback({ control }, feedback) {
    const { activity, task, agent, feedbackType, isFinal, note, atMs } = feedback
    await query(
      control,
      `insert into feedback (activity_id, task_id, campaign_id, person_key, agent, feedback_type, is_final, note,
         created_at_ms)
       select g.activity, t.id, t.campaign_id, t.person_key, $3, $4, $5, $6, $7
         from (select $1::bigint as activity,
                 coalesce($2::bigint, (select task_id from attempts where activity_id = $1)) as task) g
         left join call_tasks t on t.id = g.task
       on conflict (activity_id, agent, created_at_ms) do nothing`,
      [activity, task ?? null, agent, feedbackType, isFinal, note ?? null, atMs],
    )
  },
} satisfies Partial<In<DialerRepository>>
