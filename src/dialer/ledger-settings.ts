/** Limits on abandoned calls as a customer sets them up, and the rules that they make (dialing-rules.md 5.2). */
import Type from 'typebox'
import type { LedgerRule, LedgerWindow } from './ledger.ts'

const DATE = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'

const oneOf = <const Words extends string[]>(words: [...Words], description: string) =>
  Type.Optional(Type.Enum(words, { description }))

/** One ledger. Defaults are those of 16 CFR 310.4(b)(4), but for the window: a day is the strictest. */
export const ledgerSetting = Type.Object(
  {
    maxAbandonRate: Type.Number({ minimum: 0, maximum: 0.03, description: 'Abandoned calls per answered one.' }),
    window: oneOf(
      ['day', '24hours', 'month', '30days'],
      'A calendar day (the default), any 24 hours, a calendar month, or each 30 days after 30 days, from `since` on.',
    ),
    since: Type.Optional(Type.String({ pattern: DATE, description: 'With 30days: the first day of the campaign.' })),
    scope: oneOf(
      ['campaign', 'client', 'callerId'],
      'Whose calls count: the campaign (the default), the client (the corporation), or the caller id of the client.',
    ),
    denominator: oneOf(
      ['answeredByPerson', 'allAnswered'],
      'Which answers count: those of persons (the default), or of machines too.',
    ),
    waitSeconds: Type.Optional(
      Type.Number({
        minimum: 0.5,
        maximum: 5,
        description: 'How long a person waits for an agent before the call is abandoned: 2 if absent.',
      }),
    ),
    waitFrom: oneOf(
      ['greeting', 'answer'],
      'From when the wait counts: when it is plain that a person speaks (the default), or the answer itself.',
    ),
  },
  { additionalProperties: false },
)

/** One ledger, as it is kept. */
type LedgerSetting = Type.Static<typeof ledgerSetting>

/** How long a person waits where no ledger says otherwise: 16 CFR 310.4(b)(4)(iii). */
const AGENT_WAIT_MS = 2_000
const HOUR_MS = 3_600_000

/** The rules of a campaign: what `ledgers` says, and `maxAbandonRate` as the limit of a day where it is set. */
export function ledgerRules(
  maxAbandonRate: number | undefined,
  ledgers: readonly LedgerSetting[],
  timeZone: string,
): LedgerRule[] {
  const ofDay = maxAbandonRate === undefined ? [] : [ruleOf({ maxAbandonRate }, 'maxAbandonRate', timeZone)]
  return [...ofDay, ...ledgers.map((setting, place) => ruleOf(setting, `ledgers[${place}]`, timeZone))]
}

/** The shortest wait that any ledger promises; each of them is kept. */
export function agentWaitMs(ledgers: readonly LedgerSetting[]): number {
  const waits = ledgers.map(({ waitSeconds }) => (waitSeconds === undefined ? AGENT_WAIT_MS : waitSeconds * 1_000))
  return waits.length === 0 ? AGENT_WAIT_MS : Math.min(...waits)
}

/** What the schema cannot say, by the place inside `ledgers`. */
export function wrongLedgers(
  ledgers: readonly LedgerSetting[],
  isDetecting: boolean,
): { readonly path: string; readonly why: string }[] {
  return ledgers.flatMap(({ window, since, waitFrom }, place) => {
    const problems: { path: string; why: string }[] = []
    const say = (field: string, why: string) => problems.push({ path: `ledgers[${place}].${field}`, why })
    if (window === '30days' && since === undefined) say('since', 'is needed with 30days: the first day of the campaign')
    if (window !== '30days' && since !== undefined) say('since', 'stands with window 30days only; leave it out')
    if (since !== undefined && !isDate(since)) say('since', 'must be a date such as 2026-12-24')
    // The verdict alone takes about as long as the wait may be.
    if (waitFrom === 'answer' && isDetecting) {
      say('waitFrom', 'cannot be answer while machineDetection is on: it takes 2 to 3 s of every answer')
    }
    return problems
  })
}

/** Whether it names a day that there is. */
export function isDate(text: string): boolean {
  const atMs = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(text)
}

/** The setting that this rule was made of. */
export function ledgerSettingOf({ capBasisPoints, window, scope, denominator }: LedgerRule): LedgerSetting {
  const words = { day: 'day', rolling: '24hours', calendarMonth: 'month', successive: '30days' } as const
  return {
    maxAbandonRate: capBasisPoints / 10_000,
    window: words[window.kind],
    scope,
    denominator,
    ...(window.kind === 'successive' && { since: window.since }),
  }
}

function ruleOf(setting: LedgerSetting, name: string, timeZone: string): LedgerRule {
  const { maxAbandonRate, scope = 'campaign', denominator = 'answeredByPerson' } = setting
  // Rounded down: a share that is no whole number of basis points never adds a call.
  const capBasisPoints = Math.floor(Number((maxAbandonRate * 10_000).toFixed(6)))
  return { name, capBasisPoints, window: windowOf(setting, timeZone), scope, denominator }
}

function windowOf({ window = 'day', since = '1970-01-01' }: LedgerSetting, timeZone: string): LedgerWindow {
  switch (window) {
    case 'day':
      return { kind: 'day', timeZone }
    case '24hours':
      return { kind: 'rolling', lengthMs: 24 * HOUR_MS }
    case 'month':
      return { kind: 'calendarMonth', timeZone }
    case '30days':
      return { kind: 'successive', days: 30, since, timeZone }
  }
}
