/** What a mail server says that it checked of an email: the header Authentication-Results (RFC 8601). */
import type { MailAuthentication } from '../ports/mail.ts'

type Method = keyof MailAuthentication

/**
 * The results of this server alone; null: there are none. Anybody can write such a header: the server must remove
 * those of others that bear its name (RFC 8601 section 5).
 */
export function authenticationOf(values: readonly string[], server: string): MailAuthentication | null {
  const found = new Map<Method, string>()
  for (const value of values) {
    const [id = '', ...results] = plain(value).split(';')
    if (id.trim().split(/\s/)[0]!.toLowerCase() !== server.toLowerCase()) continue
    for (const result of results) {
      const [, method, word] = /^\s*(spf|dkim|dmarc)\s*(?:\/\s*\d+\s*)?=\s*([a-z]+)/i.exec(result) ?? []
      if (method === undefined || word === undefined) continue
      const name = method.toLowerCase() as Method
      // An email may have several signatures, of which one is enough.
      if (!found.has(name) || (name === 'dkim' && word.toLowerCase() === 'pass')) found.set(name, word.toLowerCase())
    }
  }
  if (found.size === 0) return null
  return { spf: found.get('spf') ?? null, dkim: found.get('dkim') ?? null, dmarc: found.get('dmarc') ?? null }
}

/** Without comments, which may hold comments, and without quoted texts: both may hold semicolons. */
function plain(value: string): string {
  let depth = 0
  let isQuoted = false
  const kept: string[] = []
  for (let place = 0; place < value.length; place++) {
    const letter = value[place]!
    if (letter === '\\') place++
    else if (isQuoted) isQuoted = letter !== '"'
    else if (letter === '(') depth++
    else if (letter === ')') depth = Math.max(0, depth - 1)
    else if (depth === 0 && letter === '"') isQuoted = true
    else if (depth === 0) kept.push(letter)
  }
  return kept.join('')
}
