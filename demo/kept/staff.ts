/** Who works in a kept demo: the visitor, three colleagues, a supervisor. */

/** The visitor's agent: the phone is the browser; on the simulated switch a phone at this address. */
export const VISITOR = { name: 'you', title: 'You (desk)', host: '127.0.0.48' } as const

/** Logged in as long as the demo is kept. */
export const COLLEAGUES = [
  { name: 'hanna', title: 'Hanna (desk)', host: '127.0.0.45' },
  { name: 'ivan', title: 'Ivan (desk)', host: '127.0.0.46' },
  { name: 'jonas', title: 'Jonas (desk)', host: '127.0.0.47' },
] as const

/** Their team. */
export const DESK_TEAM = 'desk'

/** A user of the console, and no agent. */
export const SUPERVISOR = { name: 'supervisor', title: 'Supervisor' } as const
