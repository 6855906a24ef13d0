/** The settings of one installation, read from environment variables once at the start. One schema says it all. */
import Type, { type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { nearest } from '../kernel/problem.ts'

const text = (description: string, options: { default?: string } = {}) => Type.String({ description, ...options })
const oneOf = <T extends string>(choices: readonly T[], description: string, initial: T) =>
  Type.Enum([...choices], { description, default: initial, hint: `one of ${choices.join(', ')}` })
const count = (description: string, initial: number, minimum: number, maximum: number) => {
  const hint = `a whole number from ${minimum} to ${maximum}`
  return Type.Integer({ description, default: initial, minimum, maximum, hint })
}
const days = (what: string, initial: number) => count(`Days that ${what}`, initial, 1, 36_500)
const ADDRESS = { pattern: '^https?://.+', hint: 'an address that begins with http:// or https://' }
const address = (description: string) => Type.String({ description, ...ADDRESS })

/** Every setting: its variable, its meaning, its default. The README's table is made from this. */
const VARIABLES = {
  DATA_DIR: text('Folder for everything the service keeps: journal, sounds, the private Asterisk', {
    default: '.data',
  }),
  DATABASE_URL: Type.String({
    description: 'A PostgreSQL server of version 15 or later; else we run our own in DATA_DIR',
    pattern: '^postgres(ql)?://.+',
    hint: 'an address that begins with postgres://',
  }),
  ENVIRONMENT: oneOf(
    ['production', 'development'],
    'Stands inside every credential: one of development is worth nothing in production',
    'production',
  ),
  HTTP_HOST: text('Address that REST listens on; 0.0.0.0 for every network the machine is in', {
    default: '127.0.0.1',
  }),
  HTTP_PORT: count('Port of REST and the agents’ sockets; 0 for any free one', 8080, 0, 65_535),
  SSO_PORT: count('Port of sign-on and of the state operation; 0 for any free one', 8081, 0, 65_535),
  ENDPOINT: address('Where clients reach this node, handed out by the state operation; else HTTP_HOST and HTTP_PORT'),
  NODE_NAME: text('Name of this node: its calls and agents are found again under it after a restart', {
    default: 'node-1',
  }),
  REDIS_URL: Type.String({
    description: 'A Redis that several nodes share for presence and boards; else this is the only node',
    pattern: '^rediss?://.+',
    hint: 'an address that begins with redis://',
  }),
  CORPORATION: text('Name of the first corporation, which is made at the first start', { default: 'Switchboard' }),
  SETUP_FILE: text('The set-up: numbers, trunks, teams, agents', { default: 'switchboard.yaml' }),
  FLOWS_DIR: text('Folder of the flows', { default: 'flows' }),
  PBX: oneOf(['asterisk', 'simulated'], 'The switch: a real Asterisk, or simulated phones', 'asterisk'),
  ARI_URL: address('An Asterisk that runs already, such as http://127.0.0.1:8088/ari; else we run our own'),
  ARI_USER: text('User of that Asterisk’s ARI'),
  ARI_PASSWORD: text('Password of that user'),
  TWILIO_ACCOUNT_SID: text('Twilio account for text messages; begins with AC'),
  TWILIO_AUTH_TOKEN: text('Token of that account'),
  TWILIO_FROM: text('Number or sender name that text messages come from'),
  TWILIO_BASE_URL: address('Another endpoint instead of Twilio’s own, for tests'),
  TRANSCRIBE_URL: address(
    'A service with POST /audio/transcriptions, such as https://api.openai.com/v1: recordings are written down',
  ),
  TRANSCRIBE_KEY: text('Key of that service; sent as a bearer token'),
  TRANSCRIBE_MODEL: text('Model of that service', { default: 'whisper-1' }),
  SUMMARISE_URL: address(
    'A service with POST /chat/completions that sums calls up; else their telling sentences are picked',
  ),
  SUMMARISE_KEY: text('Key of that service; sent as a bearer token'),
  SUMMARISE_MODEL: text('Model of that service'),
  RETENTION_RECORDING_DAYS: days('sounds of calls are kept after the call', 90),
  RETENTION_TRANSCRIPT_DAYS: days('transcripts are kept', 180),
  RETENTION_TASK_DAYS: days('finished call tasks and calls keep names and numbers', 730),
  RETENTION_CASE_DAYS: days('cases and emails are kept after their last change', 730),
  RETENTION_JOURNAL_DAYS: days('the call journal is kept, with numbers in clear', 30),
  RETENTION_AUDIT_DAYS: days('the audit trail is kept', 1_825),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'How much is logged', 'info'),
  JOURNAL_FILE_MB: count('Size at which the call journal begins a new file, in megabytes', 64, 1, 1024),
  JOURNAL_FILES: count('Journal files kept; the oldest is removed', 32, 2, 10_000),
} satisfies Record<string, TSchema>

const schema = Type.Object(VARIABLES)
type Variable = keyof typeof VARIABLES
type Values = { [K in Variable]?: Type.Static<(typeof VARIABLES)[K]> }

/** Variables that mean something only together. */
const TOGETHER: readonly (readonly Variable[])[] = [
  ['ARI_URL', 'ARI_USER', 'ARI_PASSWORD'],
  ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'],
  ['SUMMARISE_URL', 'SUMMARISE_MODEL'],
]

/** The settings as the rest of the program knows them. */
export interface Settings {
  readonly dataDir: string
  /** A PostgreSQL that somebody else runs; undefined: we run our own. */
  readonly databaseUrl: string | undefined
  readonly environment: 'production' | 'development'
  readonly corporation: string
  readonly httpHost: string
  readonly httpPort: number
  readonly ssoPort: number
  /** This node's address as clients see it, without a slash at the end. */
  readonly endpoint: string
  readonly node: string
  /** Undefined: this is the only node. */
  readonly redisUrl: string | undefined
  readonly setupFile: string
  readonly flowsDir: string
  readonly pbx: 'asterisk' | 'simulated'
  /** An Asterisk that somebody else runs; undefined: we run our own. */
  readonly ari: { readonly url: string; readonly user: string; readonly password: string } | undefined
  readonly twilio: TwilioSettings | undefined
  /** Undefined: recordings are not written down, and calls not summed up. */
  readonly transcribe: ServiceSettings | undefined
  /** Undefined: summaries are picked from transcripts without a service. */
  readonly summarise: ServiceSettings | undefined
  readonly logLevel: string
  readonly journalFileBytesMax: number
  readonly journalFilesMax: number
  readonly retention: RetentionSettings
}

/** How many days what is kept. */
export interface RetentionSettings {
  readonly recordingDays: number
  readonly transcriptDays: number
  readonly taskDays: number
  readonly caseDays: number
  readonly journalDays: number
  readonly auditDays: number
}

/** Where text messages go when Twilio carries them. */
export interface TwilioSettings {
  readonly accountSid: string
  readonly authToken: string
  readonly from: string
  readonly baseUrl: string | undefined
}

/** A service of the OpenAI protocol. */
export interface ServiceSettings {
  /** Up to the version, without a slash at the end. */
  readonly url: string
  readonly key: string | undefined
  readonly model: string
}

/** `settings` is there unless there are problems. Warnings are for the log: they never stop a start. */
export interface ReadSettings {
  readonly settings?: Settings
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

/**
 * Reads the settings. A variable set to nothing counts as not set, as compose files do it. Problems name the
 * variable, what is wrong and what to set; values are never repeated, for they may be secrets.
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): ReadSettings {
  const isSet = (variable: string) => (env[variable] ?? '') !== ''
  const given = names.filter(isSet).map((variable) => [variable, converted(variable, env[variable]!)])
  const values = Value.Default(schema, Object.fromEntries(given)) as Values
  const problems = [...wrongValues(values), ...incomplete(isSet)]
  const warnings = lookAlikes(env, isSet)
  return problems.length > 0 ? { problems, warnings } : { settings: settingsOf(values), problems, warnings }
}

/** The table of settings for the README, in Markdown. */
export function settingsTable(): string {
  const rows = names.map((variable) => {
    const { description, default: initial, hint } = described(variable)
    const choices = hint?.startsWith('one of') ? ` (${hint})` : ''
    return `| \`${variable}\` | ${initial === undefined ? '–' : `\`${initial}\``} | ${description}${choices} |`
  })
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n')
}

interface Described {
  readonly description: string
  readonly default?: string | number
  readonly hint?: string
}

function described(variable: Variable): Described {
  return VARIABLES[variable] as TSchema as unknown as Described
}

const names = Object.keys(VARIABLES) as Variable[]

/** Our choice: not TypeBox's `Convert`, which makes 1 of `1.5` and does not say so. */
function converted(variable: Variable, value: string): string | number {
  return typeof described(variable).default === 'number' ? Number(value) : value
}

function wrongValues(values: Values): string[] {
  return names.flatMap((variable) => {
    const value = values[variable]
    if (value === undefined || isRight(variable, value)) return []
    return [`${variable} is not understood; set it to ${described(variable).hint ?? 'text'}`]
  })
}

/** `http://[` begins as an address does, and is none. */
function isRight(variable: Variable, value: string | number): boolean {
  const isAddress = described(variable).hint === ADDRESS.hint
  return Value.Check(VARIABLES[variable] as TSchema, value) && (!isAddress || URL.canParse(String(value)))
}

function incomplete(isSet: (variable: string) => boolean): string[] {
  return TOGETHER.flatMap((group) => {
    const given = group.filter(isSet)
    if (given.length === 0 || given.length === group.length) return []
    const missing = group.filter((variable) => !isSet(variable))
    return [`${given.join(' and ')} set without ${missing.join(' and ')}; set all of ${group.join(', ')}, or none`]
  })
}

/** `ARI_PASWORD`: somebody believes to have set something. It may also belong to another program: only a warning. */
function lookAlikes(env: object, isSet: (variable: string) => boolean): string[] {
  return Object.keys(env)
    .filter((variable) => !isName(variable) && isSet(variable))
    .flatMap((variable) => {
      const meant = nearest(variable, names)
      // API_URL is everybody's; a slip of the finger rarely hits the first letters.
      if (!meant || isSet(meant) || !variable.startsWith(meant.slice(0, 2))) return []
      return [`${variable} is set and read by nobody; did you mean ${meant}?`]
    })
}

function isName(variable: string): variable is Variable {
  return Object.hasOwn(VARIABLES, variable)
}

function settingsOf(values: Values): Settings {
  const { ARI_URL, ARI_USER, ARI_PASSWORD, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_FROM } = values
  const hasTwilio = TWILIO_ACCOUNT_SID !== undefined && TWILIO_AUTH_TOKEN !== undefined && TWILIO_FROM !== undefined
  const hasAri = ARI_URL !== undefined && ARI_USER !== undefined && ARI_PASSWORD !== undefined
  return {
    dataDir: values.DATA_DIR!,
    databaseUrl: values.DATABASE_URL,
    environment: values.ENVIRONMENT!,
    corporation: values.CORPORATION!,
    httpHost: values.HTTP_HOST!,
    httpPort: values.HTTP_PORT!,
    ssoPort: values.SSO_PORT!,
    endpoint: (values.ENDPOINT ?? `http://${values.HTTP_HOST}:${values.HTTP_PORT}`).replace(/\/+$/, ''),
    node: values.NODE_NAME!,
    redisUrl: values.REDIS_URL,
    setupFile: values.SETUP_FILE!,
    flowsDir: values.FLOWS_DIR!,
    pbx: values.PBX!,
    ari: hasAri ? { url: ARI_URL, user: ARI_USER, password: ARI_PASSWORD } : undefined,
    twilio: hasTwilio
      ? {
          accountSid: TWILIO_ACCOUNT_SID,
          authToken: TWILIO_AUTH_TOKEN,
          from: TWILIO_FROM,
          baseUrl: values.TWILIO_BASE_URL,
        }
      : undefined,
    transcribe: serviceOf(values.TRANSCRIBE_URL, values.TRANSCRIBE_KEY, values.TRANSCRIBE_MODEL),
    summarise: serviceOf(values.SUMMARISE_URL, values.SUMMARISE_KEY, values.SUMMARISE_MODEL),
    logLevel: values.LOG_LEVEL!,
    journalFileBytesMax: values.JOURNAL_FILE_MB! * 1024 * 1024,
    journalFilesMax: values.JOURNAL_FILES!,
    retention: {
      recordingDays: values.RETENTION_RECORDING_DAYS!,
      transcriptDays: values.RETENTION_TRANSCRIPT_DAYS!,
      taskDays: values.RETENTION_TASK_DAYS!,
      caseDays: values.RETENTION_CASE_DAYS!,
      journalDays: values.RETENTION_JOURNAL_DAYS!,
      auditDays: values.RETENTION_AUDIT_DAYS!,
    },
  }
}

function serviceOf(url: string | undefined, key: string | undefined, model: string | undefined) {
  return url === undefined || model === undefined ? undefined : { url: url.replace(/\/+$/, ''), key, model }
}
