/** Checks of `switchboard.yaml` that the schema cannot express: references between its parts, flows, environment. */
import type { Cut } from '../kernel/check-shape.ts'
import { didYouMean, type Problem } from '../kernel/file-problem.ts'
import { isWithin, type Path, type YamlSource } from '../kernel/yaml-source.ts'
import { checkMail, mailVariables } from './check-mail.ts'
import { type ConfigFile, parsePorts } from './config-schema.ts'

/** What exists outside of the configuration. A check is skipped if its facts are absent. */
export interface Known {
  readonly flows?: Iterable<string>
  readonly hasEnv?: (name: string) => boolean
}

/** The file, its `text`, and the parts that the shape check cut out of it. */
interface Origin {
  readonly source: YamlSource
  readonly text: string
  readonly cuts: readonly Cut[]
  readonly known: Known
}

/** A file of the right shape, with everything a check may need. */
interface Checked extends Origin {
  readonly config: ConfigFile
  /** The same file before the cuts: an agent with a wrong field still exists. */
  readonly written: Partial<Record<keyof ConfigFile, unknown>>
}

const CHECKS: readonly ((checked: Checked) => Problem[])[] = [
  numbersAreQuoted,
  flowsExist,
  trunksAreWhole,
  callerIdsDiffer,
  teamsHaveAgents,
  phonesAreOneKind,
  phonesDiffer,
  turnHasSecret,
  agentsHaveTeams,
  voicesFit,
  smsSaysWhat,
  mailFits,
  portsDiffer,
  variablesAreSet,
]

/** Problems of a configuration of the right shape. */
export function checkReferences(config: ConfigFile, origin: Origin): Problem[] {
  const checked: Checked = { ...origin, config, written: origin.source.value as Checked['written'] }
  return CHECKS.flatMap((check) => check(checked))
}

/** YAML reads `+4570001000` as a number and drops the plus and leading zeros. */
function numbersAreQuoted({ written, source, text }: Checked): Problem[] {
  const lines = text.split(/\r?\n/)
  return keysOf(written.numbers).flatMap((number) => {
    const problem = source.problemAtKey(['numbers', number], '')
    const plain = /^[^\s:"']+/.exec(lines[problem.line - 1]?.slice(problem.column - 1) ?? '')?.[0]
    if (plain === undefined || !/^[+-]?\d/.test(plain)) return []
    const lost = plain === number ? '' : `; YAML reads it as ${number}`
    return [{ ...problem, message: `number ${plain} is written without quotes${lost}; write "${plain}"` }]
  })
}

function flowsExist({ config, source, known }: Checked): Problem[] {
  if (!known.flows) return []
  const flows = new Set(known.flows)
  return Object.entries(config.numbers ?? {})
    .filter(([, { flow }]) => !flows.has(flow))
    .map(([number, { flow }]) => {
      const remedy = didYouMean(flow, flows) || `; flows here: ${[...flows].sort().join(', ') || 'none'}`
      return source.problem(['numbers', number, 'flow'], `there is no flow "${flow}"${remedy}`)
    })
}

function trunksAreWhole({ config, cuts, source }: Checked): Problem[] {
  const problems: Problem[] = []
  const hosts = new Map<string, string>()
  for (const [name, trunk] of Object.entries(config.trunks ?? {})) {
    const { host, username, passwordFrom } = trunk
    const isHalf = (username === undefined) !== (passwordFrom === undefined)
    if (isHalf && !wasCut(cuts, ['trunks', name])) {
      const [has, lacks] = username === undefined ? ['passwordFrom', 'username'] : ['username', 'passwordFrom']
      problems.push(source.problemAtKey(['trunks', name, has], `trunk ${name} has ${has} without ${lacks}; add it`))
    }
    const other = hosts.get(host)
    if (other) {
      const message = `trunks ${other} and ${name} share the host ${host}: their inbound calls cannot be distinguished`
      problems.push(source.problem(['trunks', name, 'host'], `${message}; use one trunk for both`, 'warn'))
    } else hosts.set(host, name)
  }
  return problems
}

function callerIdsDiffer({ config, source }: Checked): Problem[] {
  return Object.entries(config.trunks ?? {}).flatMap(([name, { callerIds = [] }]) =>
    callerIds.flatMap((number: string | null, index) => {
      if (number === null || callerIds.indexOf(number) === index) return []
      return [source.problem(['trunks', name, 'callerIds', index], `${number} is in the list twice; remove one`)]
    }),
  )
}

function teamsHaveAgents({ config, written, source }: Checked): Problem[] {
  const agents = keysOf(written.agents)
  return Object.entries(config.teams ?? {}).flatMap(([team, { agents: members }]) => {
    const path: Path = ['teams', team, 'agents']
    if (members.length === 0) {
      return [source.problem(path, `team ${team} has no agents: its callers are turned away; add an agent`, 'warn')]
    }
    return members.flatMap((member: string | null, index) => {
      const at = [...path, index]
      // The shape check has reported it.
      if (member === null) return []
      if (members.indexOf(member) < index) {
        return [source.problem(at, `agent ${member} is in the team twice; remove one`)]
      }
      if (agents.includes(member)) return []
      const remedy = didYouMean(member, agents) || '; add it under agents:'
      return [source.problem(at, `there is no agent "${member}"${remedy}`)]
    })
  })
}

function phonesAreOneKind({ config, cuts, source }: Checked): Problem[] {
  return Object.entries(config.agents ?? {}).flatMap(([name, { phone }]) => {
    const path: Path = ['agents', name, 'phone']
    if (wasCut(cuts, path)) return []
    const complain = (what: string, remedy: string) => [
      source.problemAtKey(path, `the phone of ${name} ${what}; ${remedy}`),
    ]
    const registers = phone.username !== undefined || phone.passwordFrom !== undefined
    const stands = phone.host !== undefined || phone.port !== undefined
    const isBrowser = phone.browser === true
    if ([registers, stands, isBrowser].filter(Boolean).length !== 1) {
      return complain(
        whatPhoneHas({ registers, stands, isBrowser }),
        'write {username, passwordFrom} for a phone that registers, {host, port} for one at a fixed address, ' +
          '{browser: true} for the browser',
      )
    }
    if (isBrowser) return []
    for (const key of ['grace', 'opus'] as const) {
      if (phone[key] !== undefined)
        return complain(`has the key ${key}`, 'remove it: only a phone in the browser has it')
    }
    const wanted = registers ? (['username', 'passwordFrom'] as const) : (['host'] as const)
    const lacks = wanted.find((key) => phone[key] === undefined)
    return lacks ? complain(`has no ${lacks}`, 'add it') : []
  })
}

function whatPhoneHas(has: { registers: boolean; stands: boolean; isBrowser: boolean }): string {
  if (has.isBrowser) return 'is both a browser and a SIP phone'
  return has.registers ? 'has both a registration and an address' : 'has neither a registration nor an address'
}

/** Two agents with one phone would get each other's calls, and only one of them could register. */
function phonesDiffer({ config, source }: Checked): Problem[] {
  const owners = new Map<string, string>()
  return Object.entries(config.agents ?? {}).flatMap(([name, { phone }]) => {
    const key = phone.username !== undefined ? 'username' : 'host'
    const what =
      key === 'username' ? `the username ${phone.username}` : `the phone at ${phone.host}:${phone.port ?? 5060}`
    if (phone[key] === undefined) return []
    const other = owners.get(what)
    owners.set(what, other ?? name)
    if (!other) return []
    return [
      source.problem(
        ['agents', name, 'phone', key],
        `agents ${other} and ${name} share ${what}; give each agent their own`,
      ),
    ]
  })
}

function turnHasSecret({ config, cuts, source }: Checked): Problem[] {
  const { ice = [], turnSecretFrom } = config.phones ?? {}
  if (wasCut(cuts, ['phones'])) return []
  const turn = ice.find((address) => /^turns?:/.test(address))
  if ((turn === undefined) === (turnSecretFrom === undefined)) return []
  return turn === undefined
    ? [
        source.problemAtKey(
          ['phones', 'turnSecretFrom'],
          'there is no TURN address in phones.ice; add one, or remove it',
        ),
      ]
    : [source.problemAtKey(['phones', 'ice'], `${turn} needs a secret; add turnSecretFrom to phones`)]
}

function agentsHaveTeams({ config, source }: Checked): Problem[] {
  const members = new Set(Object.values(config.teams ?? {}).flatMap((team) => team.agents))
  return Object.keys(config.agents ?? {})
    .filter((agent) => !members.has(agent))
    .map((agent) => {
      const message = `agent ${agent} is in no team and gets no calls; add ${agent} to the agents of a team`
      return source.problemAtKey(['agents', agent], message, 'warn')
    })
}

/** Flite's voices speak English (`flite -lv`). */
const FLITE_VOICES = ['awb', 'kal', 'kal16', 'rms', 'slt']

function voicesFit({ config, source, known: { hasEnv } }: Checked): Problem[] {
  return Object.entries(config.voices ?? {}).flatMap(([language, { engine, voice }]) => {
    const path = ['voices', language]
    if (engine === 'http' && hasEnv?.('SPEECH_URL') === false) {
      const message = `no speech server is known, so espeak-ng speaks "${language}"; set SPEECH_URL`
      return [source.problem([...path, 'engine'], message, 'warn')]
    }
    if (engine !== 'flite') return []
    if (!/^en(-|$)/.test(language)) {
      return [source.problem([...path, 'engine'], `Flite speaks English only; take espeak or http for "${language}"`)]
    }
    if (voice === undefined || FLITE_VOICES.includes(voice)) return []
    const remedy = didYouMean(voice, FLITE_VOICES) || `; take one of ${FLITE_VOICES.join(', ')}`
    return [source.problem([...path, 'voice'], `Flite has no voice "${voice}"${remedy}`)]
  })
}

function smsSaysWhat({ config, source }: Checked): Problem[] {
  const body = config.sms?.body
  if (!body) return []
  const texts = Object.values(body).join(' ')
  return ['{to}', '{text}']
    .filter((field) => !texts.includes(field))
    .map((field) =>
      source.problemAtKey(['sms', 'body'], `sms.body does not contain ${field}; add it, because the gateway needs it`),
    )
}

function mailFits({ config, written, cuts, source }: Checked): Problem[] {
  return checkMail(config.mail, { teams: keysOf(written.teams), source, wasCut: (path) => wasCut(cuts, path) })
}

/** SIP, RTP and ARI never share a port number, although ARI is TCP: firewall rules stay readable. */
function portsDiffer({ config, source }: Checked): Problem[] {
  const { sipPort = 5060, ariPort = 8088, rtp = '10000-20000' } = config.asterisk ?? {}
  const { from, to } = parsePorts(rtp)!
  const isRtp = (port: number) => port >= from && port <= to
  const problems: Problem[] = []
  const clash = (key: string, message: string) => problems.push(source.problem(['asterisk', key], message))
  if (sipPort === ariPort) clash('ariPort', `sipPort and ariPort are both ${ariPort}; choose another ariPort`)
  if (isRtp(sipPort)) clash('sipPort', `sipPort ${sipPort} lies within rtp ${rtp}; choose a port outside that range`)
  if (isRtp(ariPort)) clash('ariPort', `ariPort ${ariPort} lies within rtp ${rtp}; choose a port outside that range`)
  return problems
}

function variablesAreSet({ config, source, known: { hasEnv } }: Checked): Problem[] {
  if (!hasEnv) return []
  const wanted: [Path, string | undefined][] = [
    ...Object.entries(config.trunks ?? {}).map(([name, trunk]) =>
      at(['trunks', name, 'passwordFrom'], trunk.passwordFrom),
    ),
    ...Object.entries(config.agents ?? {}).map(([name, { phone }]) =>
      at(['agents', name, 'phone', 'passwordFrom'], phone.passwordFrom),
    ),
    ...Object.entries(config.env ?? {}).map(([name, variable]) => at(['env', name], variable)),
    ...Object.entries(config.secrets ?? {}).map(([name, variable]) => at(['secrets', name], variable)),
    at(['sms', 'authorizationFrom'], config.sms?.authorizationFrom),
    at(['phones', 'turnSecretFrom'], config.phones?.turnSecretFrom),
    ...mailVariables(config.mail),
  ]
  return wanted.flatMap(([path, variable]) => {
    if (variable === undefined || hasEnv(variable)) return []
    return [
      source.problem(
        path,
        `the environment variable ${variable} is not set; set it before you start the service`,
        'warn',
      ),
    ]
  })
}

function at(path: Path, variable: string | undefined): [Path, string | undefined] {
  return [path, variable]
}

function keysOf(map: unknown): string[] {
  return typeof map === 'object' && map !== null ? Object.keys(map) : []
}

/** The shape check has reported a problem in this part: a second message would not help. */
function wasCut(cuts: readonly Cut[], path: Path): boolean {
  return cuts.some((cut) => isWithin(cut.path, path))
}
