/** Each `hint` completes "port must be …". There are no unions: one mistake gives one error and one message. */
import { isIP } from 'node:net'
import { isSupportedCountry } from 'libphonenumber-js/max'
import Type, { type TSchema } from 'typebox'
import type { ShapeText } from '../kernel/check-shape.ts'
import { parseDuration } from '../kernel/duration.ts'

const NAME = '^[a-z][a-z0-9-]{0,39}$'
const LANGUAGE = '^[a-z]{2,3}(-[A-Za-z0-9]+)*$'
const NAME_HINT = '(lower-case letters, digits and dashes, starting with a letter)'
const NO_PASSWORD = 'this file must not contain passwords; set an environment variable and write passwordFrom: ITS_NAME'

const ICE_HINT =
  'an address such as "stun:stun.example.com", "turn:turn.example.com:3478" or ' +
  '"turns:turn.example.com:443?transport=tcp"'

const text = (hint: string) => Type.String({ minLength: 1, maxLength: 200, hint })
const name = (what: string) => Type.String({ pattern: NAME, hint: `the name of ${what} ${NAME_HINT}` })
const variable = (what: string) =>
  Type.String({
    pattern: '^[A-Z][A-Z0-9_]*$',
    hint: `the name of an environment variable that holds ${what}, in capitals`,
    quiet: true,
  })
const port = (what: string) => Type.Integer({ minimum: 1, maximum: 65_535, hint: `${what}, 1 to 65535` })
const refined = (hint: string, isRight: (text: string) => boolean) => Type.String({ hint, isRight })
const host = () => refined('an IP address or a host name', isHost)
const duration = (fromMs: number, toMs: number, hint: string) =>
  refined(hint, (text) => {
    const durationMs = parseDuration(text)
    return durationMs !== undefined && durationMs >= fromMs && durationMs <= toMs
  })

/** A map with these keys only. */
const thing = <P extends Record<string, TSchema>>(properties: P, words: ShapeText = {}) =>
  Type.Object(properties, { additionalProperties: false, ...words })

/** A map whose keys the author chooses. */
const named = <S extends TSchema>(entry: S, keys: string, pattern = NAME) =>
  Type.Record(Type.String({ pattern }), entry, { additionalProperties: false, keys })

const recording = thing({
  mode: Type.Enum(['off', 'consent', 'always'], { hint: 'off, consent or always' }),
  transcribe: Type.Optional(Type.Boolean({ hint: 'true or false' })),
})

const numberEntry = thing({
  flow: name('the flow that answers'),
  language: Type.Optional(
    Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]+)*$', hint: 'a language such as en or en-gb' }),
  ),
  externalSystem: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, hint: 'the code of an external system, such as DEBT' }),
  ),
  recording: Type.Optional(recording),
})

const trunk = thing(
  {
    host: host(),
    port: Type.Optional(port('the SIP port of the carrier')),
    username: Type.Optional(text('the user name at the carrier')),
    passwordFrom: Type.Optional(variable('the password')),
    lines: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000, hint: 'the most numbers dialed at once, 1 to 1000' }),
    ),
    callsPerSecond: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 200, hint: 'the most numbers dialed per second, 1 to 200' }),
    ),
    callerIds: Type.Optional(
      Type.Array(
        Type.String({ pattern: '^\\+[1-9][0-9]{6,14}$', hint: 'a number of yours in quotes, such as "+4570001000"' }),
        { maxItems: 100, hint: 'a list of numbers in quotes, ["+4570001000"]' },
      ),
    ),
    country: Type.Optional(refined('a country in two capitals (ISO 3166-1), such as DK', isSupportedCountry)),
    transferCountries: Type.Optional(
      Type.Array(refined('a country in two capitals (ISO 3166-1), such as DK', isSupportedCountry), {
        maxItems: 250,
        hint: 'a list of countries, [DK]',
      }),
    ),
    sipTransfers: Type.Optional(Type.Boolean({ hint: 'true or false' })),
  },
  { instead: { password: NO_PASSWORD } },
)

const team = thing({
  title: Type.Optional(text('a title of the team')),
  agents: Type.Array(name('an agent'), { maxItems: 1_000, hint: 'a list of agents, [anna, ben]' }),
  music: Type.Optional(name('a class of music on hold')),
  recording: Type.Optional(recording),
  waitingMax: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 10_000, hint: 'the most callers that wait, 0 to 10000' }),
  ),
  ringTimeout: Type.Optional(duration(1_000, 300_000, 'a duration from 1s to 5m, such as 15s')),
  pauseAfterMiss: Type.Optional(duration(0, 8 * 3_600_000, 'a duration up to 8h, such as 2m')),
  wrapUp: Type.Optional(
    refined('a duration up to 15m, such as 30s, or byHand', (text) => {
      const durationMs = parseDuration(text)
      return text === 'byHand' || (durationMs !== undefined && durationMs <= 15 * 60_000)
    }),
  ),
})

const phone = thing(
  {
    username: Type.Optional(
      Type.String({ pattern: '^[A-Za-z0-9._-]{1,40}$', hint: 'letters, digits, dots and dashes, at most 40' }),
    ),
    passwordFrom: Type.Optional(variable('the password')),
    host: Type.Optional(host()),
    port: Type.Optional(port('the SIP port of the phone')),
    browser: Type.Optional(Type.Literal(true, { hint: 'true' })),
    opus: Type.Optional(Type.Boolean({ hint: 'true or false' })),
    grace: Type.Optional(duration(1_000, 60_000, 'a duration from 1s to 60s, such as 15s')),
  },
  { instead: { password: NO_PASSWORD }, hint: 'a phone: {username, passwordFrom}, {host, port} or {browser: true}' },
)

const phones = thing(
  {
    ice: Type.Optional(
      // Somebody may write a user and a password into an address.
      Type.Array(Type.String({ hint: ICE_HINT, isRight: isIceAddress, quiet: true }), {
        maxItems: 4,
        hint: 'a list of at most 4 addresses in quotes',
      }),
    ),
    turnSecretFrom: Type.Optional(variable('the secret of the TURN servers')),
  },
  { instead: { turnSecret: NO_PASSWORD.replace('passwordFrom', 'turnSecretFrom') } },
)

const agent = thing({
  title: Type.Optional(text('the name of the person')),
  phone,
  skills: Type.Optional(
    Type.Array(name('a skill'), {
      maxItems: 50,

      hint: 'a list of skills, [danish, technics]',
    }),
  ),
})

const voice = thing(
  {
    engine: Type.Enum(['espeak', 'flite', 'http'], { hint: 'espeak, flite, or http for the server of SPEECH_URL' }),
    voice: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9][A-Za-z0-9 ._:+/-]{0,99}$',
        hint: 'the name of a voice: letters, digits, spaces and . _ : + / -, at most 100',
      }),
    ),
  },
  { hint: 'who speaks the language: {engine: espeak}, {engine: flite} or {engine: http, voice: nova}' },
)

const sms = thing(
  {
    url: refined('an address that starts with http:// or https://', isWebAddress),
    authorizationFrom: Type.Optional(variable('the Authorization header')),
    body: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: 1_000, hint: 'text; {to}, {text} and {key} are replaced' })),
    ),
  },
  { instead: { authorization: NO_PASSWORD.replace('passwordFrom', 'authorizationFrom') } },
)

const mailServer = {
  host: host(),
  port: Type.Optional(port('the port of the mail server')),
  tls: Type.Optional(
    Type.Enum(['starttls', 'implicit', 'none'], { hint: 'starttls, implicit, or none on the same machine' }),
  ),
}
const NO_MAIL_PASSWORD = { instead: { password: NO_PASSWORD } }

const imap = thing(
  {
    ...mailServer,
    username: text('the user name at the mail server'),
    passwordFrom: variable('the password'),
    folder: Type.Optional(text('the folder that is read')),
    every: Type.Optional(duration(5_000, 3_600_000, 'a duration from 5s to 1h, such as 30s')),
  },
  NO_MAIL_PASSWORD,
)

const mailbox = thing({
  address: refined('an email address such as help@example.com', isMailAddress),
  title: Type.Optional(text('the display name of the address')),
  queue: Type.Optional(name('the team that gets its cases')),
  opensCases: Type.Optional(Type.Boolean({ hint: 'true or false' })),
  authenticatedBy: Type.Optional(text('the name of its mail server in the header Authentication-Results')),
  imap: Type.Optional(imap),
})

const mailIntake = thing({
  protocol: Type.Optional(Type.Enum(['smtp', 'lmtp'], { hint: 'smtp or lmtp' })),
  host: Type.Optional(host()),
  port: port('the port that accepts email'),
  certificateFile: Type.Optional(text('the path of a certificate in PEM')),
  keyFile: Type.Optional(text('the path of its key in PEM')),
})

const mail = thing({
  mailboxes: named(mailbox, `the name of a mailbox ${NAME_HINT}`),
  intake: Type.Optional(mailIntake),
  outbound: Type.Optional(
    thing(
      {
        ...mailServer,
        username: Type.Optional(text('the user name at the mail server')),
        passwordFrom: Type.Optional(variable('the password')),
      },
      NO_MAIL_PASSWORD,
    ),
  ),
})

const asterisk = thing({
  sipHost: Type.Optional(host()),
  sipPort: Type.Optional(port('the SIP port')),
  rtp: Type.Optional(refined('a range of ports such as 10000-20000', (range) => parsePorts(range) !== undefined)),
  ariPort: Type.Optional(port('the port of ARI')),
})

/** Flows refer to them as `${env.name}` and `${secret.name}`. */
const references = (what: string) =>
  named(variable(what), 'a name that flows can refer to: letters, digits and _', '^[A-Za-z][A-Za-z0-9_]{0,39}$')

export const configFile = thing(
  {
    numbers: Type.Optional(
      named(numberEntry, 'a telephone number in quotes, such as "+4570001000"', '^\\+?[0-9*#]{2,20}$'),
    ),
    trunks: Type.Optional(named(trunk, `the name of a trunk ${NAME_HINT}`)),
    teams: Type.Optional(named(team, `the name of a team ${NAME_HINT}`)),
    agents: Type.Optional(named(agent, `the name of an agent ${NAME_HINT}`)),
    phones: Type.Optional(phones),
    env: Type.Optional(references('the value')),
    secrets: Type.Optional(references('the secret')),
    allowedHosts: Type.Optional(
      Type.Array(refined('host or host:port, in quotes', isHostAndPort), { maxItems: 100, hint: 'a list of hosts' }),
    ),
    voices: Type.Optional(named(voice, 'a language such as en or en-GB', LANGUAGE)),
    sms: Type.Optional(sms),
    mail: Type.Optional(mail),
    asterisk: Type.Optional(asterisk),
  },
  { hint: 'a map with keys such as numbers, teams and agents' },
)

export type ConfigFile = Type.Static<typeof configFile>

/** `10000-20000` → both ends; undefined for anything else. */
export function parsePorts(range: string): { from: number; to: number } | undefined {
  const match = /^(\d{1,5})-(\d{1,5})$/.exec(range)
  if (!match) return undefined
  const [from, to] = [Number(match[1]), Number(match[2])]
  return from >= 1 && from < to && to <= 65_535 ? { from, to } : undefined
}

/** As in the URL standard, a name whose last part is a number is a wrong address (`127.0.0.256`). */
function isHost(value: string): boolean {
  if (isIP(value)) return true
  const labels = value.split('.')
  const areLabels = labels.every((label) => /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(label))
  return areLabels && value.length <= 253 && !/^\d+$/.test(labels.at(-1)!)
}

/** RFC 7064 and RFC 7065. A browser that is given one wrong address makes no connection at all (W3C WebRTC 4.4.1.1). */
function isIceAddress(value: string): boolean {
  const match = /^(?:stun:([^?]+)|turns?:([^?]+)(?:\?transport=(?:udp|tcp))?)$/.exec(value)
  const place = match?.[1] ?? match?.[2]
  // Addresses of IP version 6 stand in brackets.
  return place !== undefined && isHostAndPort(place.replace(/^\[(.*)\]$/, '$1')) && isIP(place) !== 6
}

/** Whether it is an entry of `allowedHosts`. */
export function isHostAndPort(value: string): boolean {
  const match = /^(.+):(\d{1,5})$/.exec(value)
  if (isIP(value) || !match) return isHost(value)
  const host = match[1]!.replace(/^\[(.*)\]$/, '$1')
  return isHost(host) && Number(match[2]) >= 1 && Number(match[2]) <= 65_535
}

function isMailAddress(value: string): boolean {
  return value.length <= 320 && /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/.test(value)
}

function isWebAddress(value: string): boolean {
  return /^https?:\/\//.test(value) && URL.canParse(value)
}
