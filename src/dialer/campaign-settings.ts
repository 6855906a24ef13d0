/**
 * What a customer sets up of a campaign (D-14), in the words and units in which it was given and is kept. One schema
 * checks what comes in, tells the reference what there is, and reads what was stored.
 */
import { isSupportedCountry } from 'libphonenumber-js/max'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { isZone } from './call-window.ts'
import { HOLIDAY_CALENDARS } from './holidays.ts'
import { isDate, ledgerSetting, wrongLedgers } from './ledger-settings.ts'
import { isPhoneNumber } from './phone-number.ts'

const closed = { additionalProperties: false } as const
const oneOf = <const Words extends string[]>(words: [...Words]) => Type.Enum(words)
const TIME_OF_DAY = '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$'

const spoken = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: 500 }),
    language: Type.Optional(Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$' })),
  },
  closed,
)

const callWindow = Type.Object(
  {
    days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
      minItems: 1,
      maxItems: 7,
      description: '1 is Monday, 7 is Sunday.',
    }),
    from: Type.String({ pattern: TIME_OF_DAY, description: 'Wall time where the callee lives, such as 08:00.' }),
    to: Type.String({ pattern: TIME_OF_DAY, description: 'Up to but without this minute; 24:00 is midnight.' }),
    timeZone: Type.Optional(Type.String({ maxLength: 64, description: 'An IANA zone; the same one in all windows.' })),
  },
  closed,
)

/** Every field of it may be absent. Limits and their sources stand beside the fields. */
export const campaignSettings = Type.Object(
  {
    callerId: Type.Optional(Type.String({ maxLength: 16, description: 'The number that callees see: + and digits.' })),
    trunk: Type.Optional(Type.String({ maxLength: 40, description: 'A carrier of the set-up, by its name.' })),
    dialMode: Type.Optional(oneOf(['manual', 'preview', 'progressive', 'power', 'predictive'])),
    parallelCalls: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10, description: 'Numbers of one call task that are rung at once.' }),
    ),
    linesPerAgent: Type.Optional(
      Type.Number({ minimum: 1, maximum: 6, description: 'Lines for each idle agent, in mode power.' }),
    ),
    pacing: Type.Optional(
      Type.Enum(['price', 'risk', 'ratio'], {
        description: 'How mode predictive decides: policy E, algorithm B or algorithm A; price if absent.',
      }),
    ),
    shadowPacing: Type.Optional(
      Type.Enum(['price', 'risk', 'ratio', 'oneToOne'], {
        description: 'Another way that is only watched: what it would have dialed is shown beside what was.',
      }),
    ),
    linesPerAgentMax: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 6, description: 'Lines for each agent, whatever the mode.' }),
    ),
    maxAbandonRate: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 0.03,
        description: 'Abandoned calls of a day per answered one: 3 % at most, and 3 % where no ledgers are set.',
      }),
    ),
    ledgers: Type.Optional(
      Type.Array(ledgerSetting, {
        maxItems: 8,
        description: 'Further limits on abandoned calls, or others than that of a day: all of them hold at once.',
      }),
    ),
    ringTimeoutSeconds: Type.Optional(
      Type.Integer({ minimum: 15, maximum: 120, description: 'A phone is left ringing 15 s at least.' }),
    ),
    wrapUpMode: Type.Optional(oneOf(['timed', 'byHand'])),
    wrapUpSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 900 })),
    callWindows: Type.Optional(Type.Array(callWindow, { maxItems: 50 })),
    holidayCalendar: Type.Optional(oneOf([...HOLIDAY_CALENDARS, 'none'])),
    holidays: Type.Optional(
      Type.Array(Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }), {
        maxItems: 1_000,
        description: 'Further dates on which nobody is called.',
      }),
    ),
    machineDetection: Type.Optional(
      Type.Object({ enabled: Type.Boolean(), action: Type.Optional(oneOf(['hangup', 'leaveMessage'])) }, closed),
    ),
    recording: Type.Optional(
      Type.Object(
        {
          mode: oneOf(['off', 'consent', 'always']),
          announcement: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
          transcribe: Type.Optional(
            Type.Boolean({
              description: 'False: not written down, also where the installation does so. True if absent.',
            }),
          ),
          language: Type.Optional(Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$' })),
        },
        closed,
      ),
    ),
    messages: Type.Optional(
      Type.Object(
        { dropped: Type.Optional(spoken), apology: Type.Optional(spoken), voicemail: Type.Optional(spoken) },
        { ...closed, description: 'What is said to a person for whom no agent is free, and to a machine.' },
      ),
    ),
    allowedDestinations: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), {
        minItems: 1,
        maxItems: 60,
        description: 'Countries (ISO 3166-1) that may be called; the country of the caller id when absent.',
      }),
    ),
    frequencyCap: Type.Optional(
      Type.Object(
        {
          calls: Type.Integer({ minimum: 1, maximum: 100 }),
          days: Type.Integer({ minimum: 1, maximum: 365 }),
          quietDaysAfterTalk: Type.Optional(Type.Integer({ minimum: 0, maximum: 365 })),
        },
        { ...closed, description: 'Calls to one person in any so many days, over all campaigns.' },
      ),
    ),
    afterDropped: Type.Optional(oneOf(['quietAndAgent', 'quietOrAgent'])),
    skipInvalidNumbers: Type.Optional(Type.Boolean()),
    dropStoppedNumbers: Type.Optional(Type.Boolean()),
    feedbackQuarantineDays: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_650 })),
    requiresPopup: Type.Optional(Type.Boolean()),
  },
  closed,
)

/** The settings of a campaign, as they are kept. */
export type CampaignSettings = Type.Static<typeof campaignSettings>

/** What is wrong with one field: `callWindows[0].from`, and a sentence about it. */
interface SettingProblem {
  readonly path: string
  readonly message: string
}

const compiled = Compile(campaignSettings)

/** Reads settings that were given or stored; all that is wrong with them, when something is. */
export function readSettings(given: unknown): CampaignSettings | { readonly problems: readonly SettingProblem[] } {
  const problems = compiled.Check(given) ? wrongTogether(given) : wrongShapes(given)
  return problems.length === 0 ? (given as CampaignSettings) : { problems }
}

/** The schema's complaints, one for each place; what a choice does not accept is told once. */
function wrongShapes(given: unknown): SettingProblem[] {
  const byPath = new Map<string, string>()
  for (const { instancePath, keyword, message, params } of compiled.Errors(given)) {
    if (keyword === 'additionalProperties') continue
    const path = dotted(instancePath)
    if (byPath.has(path)) continue
    const { allowedValues } = params as { readonly allowedValues?: readonly unknown[] }
    if (keyword === 'boolean') byPath.set(path, 'is no setting of a campaign; remove it')
    else byPath.set(path, allowedValues ? `must be one of ${allowedValues.join(', ')}` : message)
  }
  return [...byPath].map(([path, message]) => ({ path, message: `${path} ${message}` }))
}

/** `/callWindows/0/from` → `callWindows[0].from`. */
function dotted(pointer: string): string {
  const path = pointer
    .slice(1)
    .replaceAll(/\/([0-9]+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
  return path === '' ? 'the settings' : path
}

/** What the schema cannot say. */
function wrongTogether(settings: CampaignSettings): SettingProblem[] {
  const { callerId, callWindows = [], allowedDestinations = [], holidays = [], ledgers = [] } = settings
  const problems: SettingProblem[] = []
  const say = (path: string, message: string) => problems.push({ path, message: `${path} ${message}` })
  if (callerId !== undefined && !isPhoneNumber(callerId)) say('callerId', 'must be + and digits, such as +4570001000')
  for (const [place, { from, to, timeZone }] of callWindows.entries()) {
    if (to <= from) say(`callWindows[${place}].to`, 'must be later than from; write two windows to cross midnight')
    if (timeZone === undefined) continue
    if (!isZone(timeZone)) say(`callWindows[${place}].timeZone`, 'must be an IANA time zone such as Europe/Copenhagen')
    else if (timeZone !== callWindows[0]?.timeZone) {
      say(`callWindows[${place}].timeZone`, 'must be the same in all windows: hours are the local time of the callee')
    }
  }
  for (const [place, country] of allowedDestinations.entries()) {
    if (!isSupportedCountry(country)) say(`allowedDestinations[${place}]`, 'must be a country (ISO 3166-1) such as DK')
  }
  for (const [place, date] of holidays.entries()) {
    if (!isDate(date)) say(`holidays[${place}]`, 'must be a date such as 2026-12-24')
  }
  for (const { path, why } of wrongLedgers(ledgers, settings.machineDetection?.enabled ?? false)) say(path, why)
  return problems
}
