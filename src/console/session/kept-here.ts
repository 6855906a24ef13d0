/** What a person has typed and not saved yet, kept in this browser until they sign out. */
const PREFIX = 'sb-own:'

/** The name in the browser's storage under which something of this person is kept. */
export function keptName(userName: string, what: string): string {
  return `${PREFIX}${encodeURIComponent(userName)}:${what}`
}

/** The names of all that this person has kept of a kind, always in one order: the browser has none. */
export function keptNames(userName: string, kind: string): string[] {
  return Object.keys(localStorage)
    .filter((name) => name.startsWith(keptName(userName, kind)))
    .sort()
}

/** Erases what everybody has kept here, but this person: a session that ended by itself must lose nothing. */
export function forgetKept(except?: string): void {
  const own = except === undefined ? undefined : keptName(except, '')
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith(PREFIX) && (own === undefined || !name.startsWith(own))) localStorage.removeItem(name)
  }
}
