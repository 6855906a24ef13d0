/**
 * SQL for the assigned user of a call task (campaigns-96): the user of this agent, in the corporation of the task. Null
 * without an agent. `agent` is a column or a parameter.
 */
export const userOf = (task: 't' | 'call_tasks', agent: string) =>
  `(select u.id from users u where u.user_name = ${agent} and u.corporation_id = ${task}.corporation_id)`

/** A task without a callback is new until a call of it was placed (campaigns-94). */
export const newOrWaiting = (task: 't' | 'call_tasks') =>
  `case when exists (select from attempts a where a.task_id = ${task}.id and a.reach is distinct from 'nothing')
     then 'waiting' else 'new' end`

/** The status of a waiting task, derived from what is stored. */
export const waitingStatus = (task: 't' | 'call_tasks') =>
  `case when ${task}.callback_at_ms is not null then 'callback' else ${newOrWaiting(task)} end`

/** Ends a reservation: the task is as it was before, and of nobody but who promised a callback. */
export const UNRESERVED = `reserved_by = null, reserved_fence = null, status = ${waitingStatus('call_tasks')},
  assigned_user_id = ${userOf('call_tasks', 'call_tasks.callback_by')}`
