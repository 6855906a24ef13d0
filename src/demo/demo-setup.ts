import { AGENTS, DEMO_NUMBER } from './stories.ts'

/** Where the demo's phones and switch listen: loopback only, each carrier and phone at an address of its own. */
export interface DemoPorts {
  readonly integrator: number
  readonly sip: number
  readonly ari: number
  readonly rtpFrom: number
  readonly rtpTo: number
  /** Every agent's phone listens on this port of its own address. */
  readonly phone: number
}

/** The carrier's address: calls from anywhere else are refused. */
export const CARRIER_HOST = '127.0.0.11'

/** The demo's `switchboard.yaml`, as an operator would write it. */
export function demoSetup(ports: DemoPorts): string {
  const teams = AGENTS.map(({ team, name }) => `  ${team}: { agents: [${name}], ringTimeout: 10s }`)
  const agents = AGENTS.map(
    ({ name, title, host }) => `  ${name}: { title: "${title}", phone: { host: ${host}, port: ${ports.phone} } }`,
  )
  return `# Written by \`npm run demo\`: what an operator would keep in switchboard.yaml.
numbers:
  "${DEMO_NUMBER}": { flow: debtor-self-service, language: en }
trunks:
  carrier: { host: ${CARRIER_HOST} }
teams:
${teams.join('\n')}
agents:
${agents.join('\n')}
env: { integrator: DEMO_INTEGRATOR_URL }
secrets: { caseInfo: DEMO_CASE_INFO_TOKEN }
allowedHosts: ["127.0.0.1:${ports.integrator}"]
asterisk: { sipHost: 127.0.0.1, sipPort: ${ports.sip}, rtp: ${ports.rtpFrom}-${ports.rtpTo}, ariPort: ${ports.ari} }
`
}
