/**
 * Where an email that came in belongs: to a conversation that goes on, to a case whose number its subject names, or to
 * a new conversation. Our choice throughout: the contract says that a conversation is one thread (contract.md §2.6),
 * not how a thread is told.
 */
import type { ActivityId } from '../kernel/ids.ts'

/** What of an email decides. Ids are without brackets, addresses as `plainAddress` writes them. */
export interface ThreadedMail {
  readonly messageId: string | undefined
  readonly sender: string | undefined
  readonly subject: string
  readonly inReplyTo: readonly string[]
  readonly references: readonly string[]
}

/** What is known already, of the corporation that the mailbox is of. */
export interface KnownThreads {
  /** Message-ID → the conversation in which an email bears it, answers it or refers to it. */
  readonly conversations: ReadonlyMap<string, ActivityId>
  /** Case number → the case, for the numbers that `caseNumbersIn` found. */
  readonly cases: ReadonlyMap<number, KnownCase>
}

/** A case that a subject names. */
export interface KnownCase {
  readonly case: ActivityId
  /** The newest conversation in it in which the sender of this email wrote or was written to. */
  readonly conversation: ActivityId | undefined
  /** Everybody who has written or been written to in it, and its members' addresses. */
  readonly participants: ReadonlySet<string>
}

/** Where it belongs, and why, in words for the person who wonders. */
export type Thread =
  | { readonly kind: 'conversation'; readonly conversation: ActivityId; readonly why: string }
  | { readonly kind: 'case'; readonly case: ActivityId; readonly why: string }
  | { readonly kind: 'new'; readonly why: string }

/** More numbers than that in one subject are no reference to a case. */
const NUMBERS_MAX = 5

/**
 * First what it answers, newest first, then the number of a case, then nothing.
 *
 * A Message-ID is enough: only who had the email can name it. A case number is not: anybody can guess one, and numbers
 * are printed on letters; whoever writes it must be of the case already. A stranger who names one gets a conversation
 * of their own, which a person may add to the case by hand: nobody's words are lost, and nobody talks their way in.
 */
export function threadOf(mail: ThreadedMail, known: KnownThreads): Thread {
  const named = [...mail.inReplyTo, ...[...mail.references].reverse()]
  // Emails overtake each other: an answer may have been here before what it answers.
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

/** The numbers of cases in a subject, as `[#1234]`, in their order, each once. */
export function caseNumbersIn(subject: string): number[] {
  const numbers = [...subject.matchAll(/\[#([1-9]\d{0,14})\]/g)].map(([, digits]) => Number(digits))
  return [...new Set(numbers)].slice(0, NUMBERS_MAX)
}

/** The subject with the case's number in it, once: in front, where every mail program leaves it when it answers. */
export function withCaseNumber(subject: string, number: number): string {
  return caseNumbersIn(subject).includes(number) ? subject : `[#${number}] ${subject}`.trim()
}
