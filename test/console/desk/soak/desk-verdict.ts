/** What became of the calls of many desks: what people, desks and node say of each must be the same. Pure. */

/** A callee, and what their agent is going to save. */
export interface SoakPerson {
  readonly number: string
  readonly caseNumber: string
  readonly outcome: string
  readonly note: string
}

/** What one desk has shown and saved, in order. */
export interface DeskWork {
  readonly name: string
  /** Names of the contacts; each change is one. */
  readonly shown: readonly string[]
  /** Case numbers. */
  readonly saved: readonly string[]
}

/** An attempt, as the node tells it. */
export interface SoakAttempt {
  readonly resultName: string
  readonly agent: { readonly name?: string | null | undefined } | null
  readonly feedback: readonly { readonly feedbackType: string; readonly note: string | null }[]
}

/** What happened to a person on the carrier's side. */
export interface SoakInvite {
  readonly number: string
  readonly answeredAtMs?: number
  /** How long they heard their agent. */
  readonly heardMs: number
}

/** How often something happened that must not, by its words. */
export interface SoakCounts {
  /** Calls that no agent talked, or without a voice. */
  readonly lost: string[]
  /** People who were called twice. */
  readonly doubled: string[]
  readonly popupsWrong: string[]
  readonly popupsDoubled: string[]
  readonly outcomesLost: string[]
  readonly outcomesWrong: string[]
}

/** The callee's name as their desk shows it. */
export const shownNameOf = (caseNumber: string): string => `Debtor ${caseNumber}`

/** `attempts`: by case number. */
export function soakCounts(
  people: readonly SoakPerson[],
  desks: readonly DeskWork[],
  attempts: ReadonlyMap<string, readonly SoakAttempt[]>,
  invites: readonly SoakInvite[],
): SoakCounts {
  const counts: SoakCounts = {
    lost: [],
    doubled: [],
    popupsWrong: [],
    popupsDoubled: [],
    outcomesLost: [],
    outcomesWrong: [],
  }
  for (const person of people) {
    const { number, caseNumber } = person
    const calls = invites.filter((invite) => invite.number === number)
    // Nobody was called by a blocked attempt: another one follows.
    const own = (attempts.get(caseNumber) ?? []).filter(({ resultName }) => resultName !== 'BLOCKED')
    if (calls.length > 1 || own.length > 1) {
      counts.doubled.push(`${caseNumber} was called ${calls.length} times in ${own.length} attempts`)
    }
    judge(person, own[0], calls[0], desks, counts)
  }
  return counts
}

function judge(
  { caseNumber, outcome, note }: SoakPerson,
  attempt: SoakAttempt | undefined,
  call: SoakInvite | undefined,
  desks: readonly DeskWork[],
  counts: SoakCounts,
): void {
  const shownAt = desks.flatMap(({ name, shown }) =>
    shown.filter((contact) => contact === shownNameOf(caseNumber)).map(() => name),
  )
  if (shownAt.length > 1) counts.popupsDoubled.push(`${caseNumber} was shown at ${shownAt.join(' and ')}`)
  if (call?.answeredAtMs === undefined || attempt?.resultName !== 'ANSWERED') {
    counts.lost.push(`${caseNumber} was not talked: ${attempt?.resultName ?? 'no attempt'}`)
  } else if (call.heardMs === 0) counts.lost.push(`${caseNumber} did not hear the agent`)
  const agent = attempt?.agent?.name ?? 'nobody'
  if (attempt && shownAt[0] !== agent) {
    counts.popupsWrong.push(`${caseNumber} was talked by ${agent}, and shown at ${shownAt[0] ?? 'no desk'}`)
  }
  if (!desks.some(({ saved }) => saved.includes(caseNumber))) {
    counts.outcomesLost.push(`no desk saved an outcome of ${caseNumber}`)
    return
  }
  const feedback = attempt?.feedback ?? []
  if (feedback.length === 0) counts.outcomesLost.push(`the outcome of ${caseNumber} is not there`)
  const isRight = feedback.length === 1 && feedback[0]!.feedbackType === outcome && feedback[0]!.note === note
  if (feedback.length > 0 && !isRight) {
    const kept = feedback.map((one) => `${one.feedbackType} "${one.note}"`).join(', ')
    counts.outcomesWrong.push(`${caseNumber}: saved ${outcome} "${note}", and the node has ${kept}`)
  }
}
