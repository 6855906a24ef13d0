/** The settings of one installation, read once from environment variables. One schema holds them all. */
import Type, { type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { nearest } from '../kernel/file-problem.ts'
import { ROLES, type Role } from '../ports/directory.ts'
import { isNetwork } from '../rest/http/ip-allow-list.ts'

const text = (description: string, options: { default?: string } = {}) => Type.String({ description, ...options })
const oneOf = <T extends string>(choices: readonly T[], description: string, initial: T) =>
  Type.Enum([...choices], { description, default: initial, hint: `one of ${choices.join(', ')}` })
const count = (description: string, initial: number, minimum: number, maximum: number) => {
  const hint = `a whole number from ${minimum} to ${maximum}`
  return Type.Integer({ description, default: initial, minimum, maximum, hint })
}
const days = (what: string, initial: number) => count(`Days until ${what}`, initial, 1, 36_500)
const ADDRESS = { pattern: '^https?://.+', hint: 'an address that starts with http:// or https://' }
const address = (description: string) => Type.String({ description, ...ADDRESS })

/** Variable, meaning and default of every setting. The table in the documentation is generated from it. */
const VARIABLES = {
  DATA_DIR: text('Folder for all files of the service: database, journal, sounds, private Asterisk', {
    default: '.data',
  }),
  DATABASE_URL: Type.String({
    description: 'PostgreSQL server, version 15 or later; if unset, the service runs its own in DATA_DIR',
    pattern: '^postgres(ql)?://.+',
    hint: 'an address that starts with postgres://',
  }),
  ENVIRONMENT: oneOf(
    ['production', 'development'],
    'Part of every credential: a development credential is invalid in production',
    'production',
  ),
  ALLOW_ROOT: oneOf(['0', '1'], 'Whether root may start the service; 1 is for containers and tests', '0'),
  HTTP_HOST: text('Address that REST listens on; 0.0.0.0 for all interfaces', {
    default: '127.0.0.1',
  }),
  TRUSTED_PROXIES: Type.String({
    description: 'Addresses and networks of your proxies, separated by commas: their X-Forwarded-For names the client',
    hint: 'addresses and networks, such as 127.0.0.1, 10.0.0.0/8',
  }),
  SECOND_FACTOR_ROLES: Type.String({
    description: 'Roles (admin, supervisor, agent) whose people cannot do without a second factor when they sign in',
    pattern: `^(${ROLES.join('|')})( *, *(${ROLES.join('|')}))*$`,
    hint: 'roles, separated by commas: admin, supervisor',
  }),
  HTTP_PORT: count('Port of REST and agent sockets; 0 for any free port', 8080, 0, 65_535),
  SSO_PORT: count('Port of sign-on and of the state operation; 0 for any free port', 8081, 0, 65_535),
  ENDPOINT: address(
    'Address that clients use for this node; the state operation returns it; if unset, HTTP_HOST and HTTP_PORT',
  ),
  NODE_NAME: text('Name of this node; after a restart the node finds its calls and agents by it', {
    default: 'node-1',
  }),
  REDIS_URL: Type.String({
    description: 'Redis that several nodes share for presence and boards; if unset, this is the only node',
    pattern: '^rediss?://.+',
    hint: 'an address that starts with redis://',
  }),
  CORPORATION: text('Name of the first corporation; the first start creates it', { default: 'Switchboard' }),
  SETUP_FILE: text('Configuration file: numbers, trunks, teams, agents', { default: 'switchboard.yaml' }),
  FLOWS_DIR: text('Folder of the flow files', { default: 'flows' }),
  PBX: oneOf(['asterisk', 'simulated'], 'The switch: a real Asterisk, or simulated phones', 'asterisk'),
  ARI_URL: address(
    'ARI of an existing Asterisk, such as http://127.0.0.1:8088/ari; if unset, the service runs its own',
  ),
  ARI_USER: text('ARI user of that Asterisk'),
  ARI_PASSWORD: text('ARI password of that user'),
  TWILIO_ACCOUNT_SID: text('Twilio account SID for text messages; starts with AC'),
  TWILIO_AUTH_TOKEN: text('Auth token of that account'),
  TWILIO_FROM: text('Sender number or sender name of text messages'),
  SMS_COUNTRIES: Type.String({
    description: 'Countries (DK, SE) that texts go to, beside those of your own numbers',
    pattern: '^[A-Z]{2}( *, *[A-Z]{2})*$',
    hint: 'codes of countries, separated by commas: SE, NO',
  }),
  ABROAD_CALLS_PER_DAY: count('Calls to each other country than those of your caller ids in 24 hours', 1_000, 0, 1e6),
  ABROAD_MINUTES_PER_DAY: count('Minutes of talk with each other country in 24 hours', 2_000, 0, 1e6),
  ABROAD_TEXTS_PER_DAY: count('Texts to each country of SMS_COUNTRIES in 24 hours', 500, 0, 1e6),
  TWILIO_BASE_URL: address('Endpoint to use instead of Twilio’s own, for tests'),
  TWILIO_REPORTS_URL: address(
    'Public address of REST, as Twilio sees it, for delivery reports; if unset, no step can wait for the delivery',
  ),
  TRANSCRIBE_URL: address(
    'Service that transcribes recordings with POST /audio/transcriptions, such as https://api.openai.com/v1',
  ),
  TRANSCRIBE_KEY: text('API key of that service, sent as a bearer token'),
  TRANSCRIBE_MODEL: text('Model of that service', { default: 'whisper-1' }),
  LISTEN_URL: address(
    'Service that understands digits callers say, with POST /audio/transcriptions; if unset, LISTEN_PROGRAM',
  ),
  LISTEN_KEY: text('API key of that service, sent as a bearer token'),
  LISTEN_MODEL: text('Model of that service', { default: 'whisper-1' }),
  LISTEN_PROGRAM: text(
    'PocketSphinx 5 for the same, in English: /usr/bin/pocketsphinx, or bin/pocketsphinx of a tree with EARS=1',
  ),
  SUMMARISE_URL: address(
    'Service that summarises calls with POST /chat/completions; if unset, key sentences are extracted',
  ),
  SUMMARISE_KEY: text('API key of that service, sent as a bearer token'),
  SUMMARISE_MODEL: text('Model of that service'),
  SPEECH_URL: address(
    'Service that speaks with POST /audio/speech, for languages with `engine: http`; if unset, espeak-ng speaks them',
  ),
  SPEECH_KEY: text('API key of that service, sent as a bearer token'),
  SPEECH_MODEL: text('Model of that service', { default: 'tts-1' }),
  SPEECH_VOICE: text('Voice of languages that name none', { default: 'alloy' }),
  SPEECH_DAILY_CHARACTERS: count(
    'Characters that this node sends to that service in a day (UTC); then espeak-ng speaks',
    200_000,
    0,
    1_000_000_000,
  ),
  RETENTION_RECORDING_DAYS: days('call recordings are deleted', 90),
  RETENTION_TRANSCRIPT_DAYS: days('transcripts are deleted', 180),
  RETENTION_TASK_DAYS: days('finished call tasks and calls lose names and numbers', 730),
  RETENTION_CASE_DAYS: days('the content of closed, unchanged cases and emails is erased', 730),
  RETENTION_CONTACT_DAYS: days('unchanged contacts without call tasks, calls, cases and emails are erased', 730),
  RETENTION_JOURNAL_DAYS: days('call journal files, which hold unmasked numbers, are deleted', 30),
  RETENTION_AUDIT_DAYS: days('audit entries are deleted', 1_825),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'Log level', 'info'),
  DISK_FREE_MIN_MB: count(
    'Megabytes that the disk of DATA_DIR must have left for `/readyz`, and for files and emails to be stored',
    256,
    0,
    1_000_000_000,
  ),
  JOURNAL_FILE_MB: count('Size in megabytes at which the call journal starts a new file', 64, 1, 1024),
  JOURNAL_FILES: count('Number of journal files to keep; the oldest is deleted first', 32, 2, 10_000),
} satisfies Record<string, TSchema>

const schema = Type.Object(VARIABLES)
type Variable = keyof typeof VARIABLES
type Values = { [K in Variable]?: Type.Static<(typeof VARIABLES)[K]> }

const TOGETHER: readonly (readonly Variable[])[] = [
  ['ARI_URL', 'ARI_USER', 'ARI_PASSWORD'],
  ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'],
  ['SUMMARISE_URL', 'SUMMARISE_MODEL'],
]

export interface Settings {
  readonly dataDir: string
  /** Undefined: the service runs its own PostgreSQL. */
  readonly databaseUrl: string | undefined
  readonly environment: 'production' | 'development'
  readonly corporation: string
  readonly allowsRoot: boolean
  /** ISO 3166-1, beside those of our own numbers. */
  readonly smsCountries: readonly string[]
  /** To each other country, in 24 hours. */
  readonly abroad: { readonly callsMax: number; readonly talkMaxMs: number; readonly textsMax: number }
  readonly httpHost: string
  /** Addresses and networks, as `10.0.0.0/8`. */
  readonly trustedProxies: readonly string[]
  /** Whose sign-ons need a second factor. */
  readonly secondFactorRoles: readonly Role[]
  readonly httpPort: number
  readonly ssoPort: number
  /** This node's address for clients, without a trailing slash. */
  readonly endpoint: string
  readonly node: string
  /** Undefined: this is the only node. */
  readonly redisUrl: string | undefined
  readonly setupFile: string
  readonly flowsDir: string
  readonly pbx: 'asterisk' | 'simulated'
  /** Undefined: the service runs its own Asterisk. */
  readonly ari: { readonly url: string; readonly user: string; readonly password: string } | undefined
  readonly twilio: TwilioSettings | undefined
  /** Undefined: no transcripts and no summaries. */
  readonly transcribe: ServiceSettings | undefined
  /** Undefined: nobody understands what callers say. A path: PocketSphinx. */
  readonly listen: ServiceSettings | string | undefined
  /** Undefined: summaries are extracted from the transcripts. */
  readonly summarise: ServiceSettings | undefined
  /** Undefined: no server speaks. */
  readonly speech: SpeechSettings | undefined
  readonly logLevel: string
  readonly diskFreeBytesMin: number
  readonly journalFileBytesMax: number
  readonly journalFilesMax: number
  readonly retention: RetentionSettings
}

interface RetentionSettings {
  readonly recordingDays: number
  readonly transcriptDays: number
  readonly taskDays: number
  readonly caseDays: number
  readonly contactDays: number
  readonly journalDays: number
  readonly auditDays: number
}

interface TwilioSettings {
  readonly accountSid: string
  readonly authToken: string
  readonly from: string
  readonly baseUrl: string | undefined
  readonly reportsUrl?: string | undefined
}

/** A service that speaks the OpenAI protocol. */
export interface ServiceSettings {
  /** Up to the version, without a trailing slash. */
  readonly url: string
  readonly key: string | undefined
  readonly model: string
}

/** A service that speaks, and what it may cost. */
interface SpeechSettings extends ServiceSettings {
  readonly voice: string
  readonly charactersPerDay: number
}

/** `settings` is undefined if there are problems. Warnings go to the log and stop no start. */
interface ReadSettings {
  readonly settings?: Settings
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

/** Empty counts as unset: compose files set such variables. Problems never repeat a value, which may be a secret. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): ReadSettings {
  const isSet = (variable: string) => (env[variable] ?? '') !== ''
  const given = names.filter(isSet).map((variable) => [variable, converted(variable, env[variable]!)])
  const values = Value.Default(schema, Object.fromEntries(given)) as Values
  const problems = [...wrongValues(values), ...incomplete(isSet)]
  const warnings = lookAlikes(env, isSet)
  return problems.length > 0 ? { problems, warnings } : { settings: settingsOf(values), problems, warnings }
}

/** The table of settings for the documentation, in Markdown. */
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

/** TypeBox's `Convert` would silently turn `1.5` into 1. */
function converted(variable: Variable, value: string): string | number {
  return typeof described(variable).default === 'number' ? Number(value) : value
}

function wrongValues(values: Values): string[] {
  return names.flatMap((variable) => {
    const value = values[variable]
    if (value === undefined || isRight(variable, value)) return []
    return [`${variable} is invalid; set it to ${described(variable).hint ?? 'text'}`]
  })
}

/** The pattern alone accepts `http://[`. */
function isRight(variable: Variable, value: string | number): boolean {
  if (variable === 'TRUSTED_PROXIES') return listOf(String(value)).every(isNetwork)
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

/** Finds typing errors such as `ARI_PASWORD`. Only a warning: the variable may belong to another program. */
function lookAlikes(env: object, isSet: (variable: string) => boolean): string[] {
  return Object.keys(env)
    .filter((variable) => !isName(variable) && isSet(variable))
    .flatMap((variable) => {
      const meant = nearest(variable, names)
      // Many programs have an API_URL; typing errors rarely hit the first letters.
      if (!meant || isSet(meant) || !variable.startsWith(meant.slice(0, 2))) return []
      return [`${variable} is set but is not a setting; did you mean ${meant}?`]
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
    allowsRoot: values.ALLOW_ROOT === '1',
    smsCountries: listOf(values.SMS_COUNTRIES),
    abroad: {
      callsMax: values.ABROAD_CALLS_PER_DAY!,
      talkMaxMs: values.ABROAD_MINUTES_PER_DAY! * 60_000,
      textsMax: values.ABROAD_TEXTS_PER_DAY!,
    },
    httpHost: values.HTTP_HOST!,
    trustedProxies: listOf(values.TRUSTED_PROXIES),
    secondFactorRoles: listOf(values.SECOND_FACTOR_ROLES) as readonly Role[],
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
          reportsUrl: values.TWILIO_REPORTS_URL,
        }
      : undefined,
    transcribe: serviceOf(values.TRANSCRIBE_URL, values.TRANSCRIBE_KEY, values.TRANSCRIBE_MODEL),
    listen: serviceOf(values.LISTEN_URL, values.LISTEN_KEY, values.LISTEN_MODEL) ?? values.LISTEN_PROGRAM,
    summarise: serviceOf(values.SUMMARISE_URL, values.SUMMARISE_KEY, values.SUMMARISE_MODEL),
    speech: speechOf(values),
    logLevel: values.LOG_LEVEL!,
    diskFreeBytesMin: values.DISK_FREE_MIN_MB! * 1024 * 1024,
    journalFileBytesMax: values.JOURNAL_FILE_MB! * 1024 * 1024,
    journalFilesMax: values.JOURNAL_FILES!,
    retention: {
      recordingDays: values.RETENTION_RECORDING_DAYS!,
      transcriptDays: values.RETENTION_TRANSCRIPT_DAYS!,
      taskDays: values.RETENTION_TASK_DAYS!,
      caseDays: values.RETENTION_CASE_DAYS!,
      contactDays: values.RETENTION_CONTACT_DAYS!,
      journalDays: values.RETENTION_JOURNAL_DAYS!,
      auditDays: values.RETENTION_AUDIT_DAYS!,
    },
  }
}

function listOf(text = ''): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== '')
}

function serviceOf(url: string | undefined, key: string | undefined, model: string | undefined) {
  return url === undefined || model === undefined ? undefined : { url: url.replace(/\/+$/, ''), key, model }
}

function speechOf(values: Values): SpeechSettings | undefined {
  const service = serviceOf(values.SPEECH_URL, values.SPEECH_KEY, values.SPEECH_MODEL)
  return service && { ...service, voice: values.SPEECH_VOICE!, charactersPerDay: values.SPEECH_DAILY_CHARACTERS! }
}
