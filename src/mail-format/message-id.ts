/** Message-IDs of email (RFC 5322 §3.6.4), without their brackets. */

/** A longer one is an attack or a defect. */
const LETTERS_MAX = 500
/** Kept of a long thread: the first id and the newest ones. */
const REFERENCES_MAX = 100

/** The ids in a header such as References, in order and without repetition; anything else is ignored. */
export function readMessageIds(header: string): string[] {
  const found = [...header.matchAll(/<([^<>\s]+)>/g)].map(([, id = '']) => id)
  const bare = found.length === 0 && /^\s*[^\s<>@]+@[^\s<>@]+\s*$/.test(header) ? [header.trim()] : []
  const ids = [...new Set([...found, ...bare].filter((id) => id.length <= LETTERS_MAX))]
  return ids.length <= REFERENCES_MAX ? ids : [...ids.slice(0, 1), ...ids.slice(1 - REFERENCES_MAX)]
}

/** The id of a Message-ID header; undefined without one. */
export function readMessageId(header: string | undefined): string | undefined {
  return header === undefined ? undefined : readMessageIds(header)[0]
}
