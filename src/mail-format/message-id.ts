/** Message-IDs of email (RFC 5322 §3.6.4), without their brackets. */

/** Longer ones are somebody's attempt at something. */
const LETTERS_MAX = 500
/** A thread's newest ones say most; the first says where it began. */
const REFERENCES_MAX = 100

/** All ids in a header such as References, in their order, each once; what is no id is left out. */
export function readMessageIds(header: string): string[] {
  const found = [...header.matchAll(/<([^<>\s]+)>/g)].map(([, id = '']) => id)
  // Some programs write a single id without brackets.
  const bare = found.length === 0 && /^\s*[^\s<>@]+@[^\s<>@]+\s*$/.test(header) ? [header.trim()] : []
  const ids = [...new Set([...found, ...bare].filter((id) => id.length <= LETTERS_MAX))]
  return ids.length <= REFERENCES_MAX ? ids : [...ids.slice(0, 1), ...ids.slice(1 - REFERENCES_MAX)]
}

/** The one id of a Message-ID header; undefined where it names none. */
export function readMessageId(header: string | undefined): string | undefined {
  return header === undefined ? undefined : readMessageIds(header)[0]
}
