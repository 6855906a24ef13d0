import { CALLER_ID, CALLING_AGENTS, CALLING_TEAM } from './campaign-people.ts'
import { COLLEAGUES, DESK_TEAM, VISITOR } from './kept/staff.ts'
import { AGENTS, DEMO_NUMBER } from './stories.ts'

/** Ports of the demo. Its phones and switch listen on loopback; the carrier and each phone have their own address. */
export interface DemoPorts {
  readonly integrator: number
  readonly sip: number
  readonly ari: number
  readonly rtpFrom: number
  readonly rtpTo: number
  /** Of every agent's phone, at its own address. */
  readonly phone: number
  /** Where the carrier accepts our calls; 5060 when absent. */
  readonly carrier?: number
  /** Receives webhooks. */
  readonly debtSystem?: number
}

/** The carrier's address; the switch refuses calls from elsewhere. */
export const CARRIER_HOST = '127.0.0.11'

/** What a demo has beside its acts. */
export interface DemoExtras {
  /** The visitor's phone, where the demo is kept with a team for the visitor. */
  readonly visitorPhone: 'browser' | 'simulated' | undefined
  /** `host:port` of the visitor's own servers, which webhooks and flows may call. */
  readonly allowHosts: readonly string[]
}

const NO_EXTRAS: DemoExtras = { visitorPhone: undefined, allowHosts: [] }

/** The demo's `switchboard.yaml`, as an operator would write it. */
export function demoConfig(ports: DemoPorts, { visitorPhone, allowHosts }: DemoExtras = NO_EXTRAS): string {
  const { carrier = 5060 } = ports
  const own = [ports.integrator, ports.debtSystem].flatMap((port) => (port === undefined ? [] : `127.0.0.1:${port}`))
  const hosts = [...own, ...allowHosts].map((host) => JSON.stringify(host))
  const teams = AGENTS.map(({ team, name }) => `  ${team}: { agents: [${name}], ringTimeout: 10s }`)
  const callers = CALLING_AGENTS.map(({ name }) => name)
  const callingTeams = [`  ${CALLING_TEAM}: { title: Campaign, agents: [${callers.join(', ')}] }`]
  const isKept = visitorPhone !== undefined
  const phoneAt = (host: string) => `{ host: ${host}, port: ${ports.phone} }`
  const agents = [...AGENTS, ...CALLING_AGENTS, ...(isKept ? COLLEAGUES : [])].map(
    ({ name, title, host }) => `  ${name}: { title: "${title}", phone: ${phoneAt(host)} }`,
  )
  if (isKept) {
    const names = [VISITOR, ...COLLEAGUES].map(({ name }) => name)
    const phone = visitorPhone === 'browser' ? '{ browser: true }' : phoneAt(VISITOR.host)
    callingTeams.push(`  ${DESK_TEAM}: { title: Desk, agents: [${names.join(', ')}] }`)
    agents.push(`  ${VISITOR.name}: { title: "${VISITOR.title}", phone: ${phone} }`)
  }
  return `# Written by \`npm run demo\`: an example of an operator's switchboard.yaml.
numbers:
  "${DEMO_NUMBER}": { flow: debtor-self-service, language: en }
trunks:
  carrier: { host: ${CARRIER_HOST}, port: ${carrier}, callerIds: ["${CALLER_ID}"], lines: 20, callsPerSecond: 10 }
teams:
${teams.join('\n')}
${callingTeams.join('\n')}
agents:
${agents.join('\n')}
env: { integrator: DEMO_INTEGRATOR_URL }
secrets: { caseInfo: DEMO_CASE_INFO_TOKEN }
allowedHosts: [${hosts.join(', ')}]
asterisk: { sipHost: 127.0.0.1, sipPort: ${ports.sip}, rtp: ${ports.rtpFrom}-${ports.rtpTo}, ariPort: ${ports.ari} }
`
}
