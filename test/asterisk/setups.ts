/** Set-ups to make configurations from. */
import type { Team } from '../../src/acd/team.ts'
import type { AsteriskConfig, InstallationConfig, Phone, Trunk } from '../../src/installation/config.ts'
import type { AgentName, TeamName } from '../../src/kernel/ids.ts'

export const ADDRESSES: AsteriskConfig = {
  sipHost: '127.0.0.1',
  sipPort: 5060,
  rtpFrom: 34_000,
  rtpTo: 34_999,
  ariPort: 8088,
}

export const PASSWORDS: Readonly<Record<string, string>> = { CARRIER_PASSWORD: 'c4rrier', ANNA_PASSWORD: 'ann4' }
export const secretOf = (variable: string): string | undefined => PASSWORDS[variable]

interface Parts {
  readonly trunks?: readonly Partial<Trunk>[]
  readonly phones?: Readonly<Record<string, Phone>>
  readonly music?: string
  readonly asterisk?: Partial<AsteriskConfig>
}

export const REGISTERING: Phone = { kind: 'registers', username: 'k7.x2', passwordFrom: 'ANNA_PASSWORD' }
export const FIXED: Phone = { kind: 'fixed', host: '127.0.0.31', port: 6031 }

/** A set-up with one trunk, `main`, at 127.0.0.11, unless told otherwise. */
export function configWith({
  trunks = [{}],
  phones = {},
  music = 'default',
  asterisk = {},
}: Parts = {}): InstallationConfig {
  const team: Team = {
    name: 'help' as TeamName,
    title: 'Help',
    agents: [],
    music,
    waitingMax: 10,
    ringTimeoutMs: 15_000,
    pauseAfterMissMs: 60_000,
  }
  return {
    file: 'switchboard.yaml',
    numbers: new Map(),
    trunks: new Map(trunks.map(trunkWith).map((trunk) => [trunk.name, trunk])),
    staff: { teams: new Map([[team.name, team]]), agents: new Map() },
    phones: new Map(Object.entries(phones) as [AgentName, Phone][]),
    env: {},
    secrets: {},
    allowedHosts: [],
    voices: new Map(),
    sms: undefined,
    mail: undefined,
    asterisk: { ...ADDRESSES, ...asterisk },
  }
}

function trunkWith(part: Partial<Trunk>): Trunk {
  return {
    name: 'main',
    host: '127.0.0.11',
    port: 6011,
    username: undefined,
    passwordFrom: undefined,
    linesMax: 30,
    callsPerSecondMax: 10,
    callerIds: ['+4570001000'],
    country: undefined,
    transferCountries: [],
    sipTransfers: false,
    ...part,
  }
}
