/**
 * SQL for the assigned user of a call task (campaigns-96): the user of this agent, in the corporation of the task. Null
 * without an agent. `agent` is a column or a parameter.
 */
export const userOf = (task: 't' | 'call_tasks', agent: string) =>
  `(select u.id from users u where u.user_name = ${agent} and u.corporation_id = ${task}.corporation_id)`
