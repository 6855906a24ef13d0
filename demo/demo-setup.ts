import { CALLER_ID, CALLING_AGENTS, CALLING_TEAM } from './campaign-people.ts'
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

/** The demo's `switchboard.yaml`, as an operator would write it. */
export function demoConfig(ports: DemoPorts): string {
  const { carrier = 5060 } = ports
  const debtSystem = ports.debtSystem === undefined ? '' : `, "127.0.0.1:${ports.debtSystem}"`
  const teams = AGENTS.map(({ team, name }) => `  ${team}: { agents: [${name}], ringTimeout: 10s }`)
  const callers = CALLING_AGENTS.map(({ name }) => name)
  const agents = [...AGENTS, ...CALLING_AGENTS].map(
    ({ name, title, host }) => `  ${name}: { title: "${title}", phone: { host: ${host}, port: ${ports.phone} } }`,
  )
  return `# Written by \`npm run demo\`: an example of an operator's switchboard.yaml.
numbers:
  "${DEMO_NUMBER}": { flow: debtor-self-service, language: en }
trunks:
  carrier: { host: ${CARRIER_HOST}, port: ${carrier}, callerIds: ["${CALLER_ID}"], lines: 20, callsPerSecond: 10 }
teams:
${teams.join('\n')}
  ${CALLING_TEAM}: { title: Campaign, agents: [${callers.join(', ')}] }
agents:
${agents.join('\n')}
env: { integrator: DEMO_INTEGRATOR_URL }
secrets: { caseInfo: DEMO_CASE_INFO_TOKEN }
allowedHosts: ["127.0.0.1:${ports.integrator}"${debtSystem}]
asterisk: { sipHost: 127.0.0.1, sipPort: ${ports.sip}, rtp: ${ports.rtpFrom}-${ports.rtpTo}, ariPort: ${ports.ari} }
`
}
