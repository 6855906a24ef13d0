export type Trouble = 'away' | 'locked' | 'full' | 'readOnly' | 'odd'

/** Log texts; place and Redis's own code are in the fields of the log line. */
export const TROUBLES: Readonly<Record<Trouble, string>> = {
  away: 'Redis does not answer; see whether it runs and whether REDIS_URL names it',
  locked: 'Redis does not let us in; correct user and password in REDIS_URL, or what that user may do',
  full: 'the memory of Redis is full; give it more (maxmemory), or keep other data elsewhere',
  readOnly: 'this Redis takes no changes; let REDIS_URL name the primary',
  odd: 'Redis refuses our commands; see what its code says',
}

/** An error of the client: its class and code. Codes hold no secrets; messages may. */
export interface ClassifiedTrouble {
  readonly trouble: Trouble
  readonly code: string
}

/** The first word of Redis's own errors. */
const REPLIES: Readonly<Record<string, Trouble>> = {
  WRONGPASS: 'locked',
  NOAUTH: 'locked',
  NOPERM: 'locked',
  OOM: 'full',
  READONLY: 'readOnly',
  LOADING: 'away',
  MASTERDOWN: 'away',
  BUSY: 'away',
}

/** Classifies an error of the client. Anything but a reply of Redis concerns the connection. */
export function classify(error: unknown): ClassifiedTrouble {
  const { name, message = '', code } = (error ?? {}) as { name?: string; message?: string; code?: unknown }
  if (name !== 'ReplyError') return { trouble: 'away', code: typeof code === 'string' ? code : 'no answer' }
  // Older servers wrap the error of a script's command: `ERR Error running script …: -OOM command not allowed`.
  const known = Object.keys(REPLIES).find((word) => new RegExp(`(^|-)${word}\\b`).test(message))
  return { trouble: REPLIES[known ?? ''] ?? 'odd', code: known ?? /^[A-Z]+/.exec(message)?.[0] ?? 'unknown' }
}
