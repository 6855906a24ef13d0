/**
 * Assigns an incoming email to an existing conversation, to the case named in its subject, or to a new conversation.
 * Our choice throughout: the contract says that a conversation is one thread (contract.md §2.6), not how to find it.
 */
import type { ActivityId } from '../kernel/ids.ts'

/** Ids are without brackets, addresses as `plainAddress` writes them. */
export interface ThreadedMail {
  readonly messageId: string | undefined
  readonly sender: string | undefined
  /** A mailbox of ours is its sender, and nothing proves it. */
  readonly isInOurName: boolean
  readonly subject: string
  readonly inReplyTo: readonly string[]
  readonly references: readonly string[]
}

export interface KnownThreads {
  /** Message-ID → the conversation with an email that has it, answers it or refers to it. */
  readonly conversations: ReadonlyMap<string, ActivityId>
  /** Case number → the case, for the numbers that `caseNumbersIn` found. */
  readonly cases: ReadonlyMap<number, KnownCase>
}

export interface KnownCase {
  readonly case: ActivityId
  /** Its newest conversation with the sender of this email. */
  readonly conversation: ActivityId | undefined
  /** Senders and recipients of its emails, and its members' addresses. */
  readonly participants: ReadonlySet<string>
}

/** The assignment; `why` is stored as text for the user. */
export type Thread =
  | { readonly kind: 'conversation'; readonly conversation: ActivityId; readonly why: string }
  | { readonly kind: 'case'; readonly case: ActivityId; readonly why: string }
  | { readonly kind: 'new'; readonly why: string }

/** A subject with more numbers than this is not a reference to a case. */
const NUMBERS_MAX = 5

/**
 * Order: the emails it answers, newest first; then a case number; then a new conversation.
 *
 * A Message-ID is enough, because only a person who had the email can name it. A case number can be guessed and is
 * printed on letters, so its sender must already take part in the case. Our mailboxes take part in all of them, so
 * whoever writes in their name takes part in none. Otherwise the email gets its own conversation,
 * which a user can add to the case.
 */
export function threadOf(mail: ThreadedMail, known: KnownThreads): Thread {
  if (mail.isInOurName) return { kind: 'new', why: 'its sender is a mailbox of ours, which nothing proves' }
  const named = [...mail.inReplyTo, ...[...mail.references].reverse()]
  // Emails overtake each other: an answer may arrive before the email it answers.
  const all = mail.messageId === undefined ? named : [...named, mail.messageId]
  for (const id of all) {
    const conversation = known.conversations.get(id)
    if (conversation !== undefined) return { kind: 'conversation', conversation, why: `it is of the thread of <${id}>` }
  }
  const strangers: number[] = []
  for (const number of caseNumbersIn(mail.subject)) {
    const found = known.cases.get(number)
    if (!found) continue
    if (mail.sender === undefined || !found.participants.has(mail.sender)) {
      strangers.push(number)
      continue
    }
    const why = `its subject names case ${number}, of which its sender is`
    const { conversation } = found
    return conversation === undefined
      ? { kind: 'case', case: found.case, why }
      : { kind: 'conversation', conversation, why }
  }
  if (strangers.length > 0) {
    return { kind: 'new', why: `its subject names case ${strangers.join(', ')}, of which its sender is not` }
  }
  return { kind: 'new', why: named.length > 0 ? 'it answers nothing that is here' : 'it begins something new' }
}

/** The case numbers in a subject, written `[#1234]`, in order and without repetition. */
export function caseNumbersIn(subject: string): number[] {
  const numbers = [...subject.matchAll(/\[#([1-9]\d{0,14})\]/g)].map(([, digits]) => Number(digits))
  return [...new Set(numbers)].slice(0, NUMBERS_MAX)
}

/** The subject with the case number once, in front, where mail programs keep it in an answer. */
export function withCaseNumber(subject: string, number: number): string {
  return caseNumbersIn(subject).includes(number) ? subject : `[#${number}] ${subject}`.trim()
}
