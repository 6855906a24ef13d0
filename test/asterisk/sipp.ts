/** SIPp as a caller: a scenario is made from two or three steps, run once, and says how it ended. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../asterisk/ports.ts'

interface Caller {
  readonly sipp: string
  /** An address of loopback; Linux has them all. */
  readonly from: string
  readonly to: { readonly host: string; readonly port: number }
  /** What is called, or who registers. */
  readonly service: string
  readonly password?: string
  /** Makes so many calls instead of one, some at the same time. */
  readonly calls?: number
}

/** New calls in a second, where there are many. */
const CALLS_PER_SECOND = 100

/** SIPp itself gives up after this; a scenario that hangs fails, instead of the test run. */
const LIMIT_SECONDS = 30

/** Runs a scenario. `ok` when it went as it says; `why` is SIPp's own complaint when it did not. */
export async function runSipp(caller: Caller, scenario: string): Promise<{ ok: boolean; why: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'sipp-'))
  writeFileSync(join(folder, 'scenario.xml'), `<?xml version="1.0"?>\n<scenario name="test">${scenario}</scenario>\n`)
  const port = await freePort('udp', caller.from)
  const options = ['-i', caller.from, '-p', String(port), '-mi', caller.from, '-s', caller.service]
  const calls = ['-m', String(caller.calls ?? 1), '-r', String(CALLS_PER_SECOND)]
  const limits = ['-nostdin', '-timeout', `${LIMIT_SECONDS}s`, '-timeout_error']
  const secrets = caller.password === undefined ? [] : ['-ap', caller.password]
  const target = `${caller.to.host}:${caller.to.port}`
  const args = [...options, ...calls, ...limits, ...secrets, '-sf', 'scenario.xml', target]
  return await new Promise((resolve) => {
    execFile(caller.sipp, args, { cwd: folder, maxBuffer: 2 ** 22 }, (error, _stdout, stderr) => {
      rmSync(folder, { recursive: true, force: true })
      resolve(error ? { ok: false, why: stderr } : { ok: true, why: '' })
    })
  })
}

const send = (text: string, sequence: string) => `<send${sequence}><![CDATA[\n${text}\n]]></send>`
const answered = (status: number, more = '') => `<recv response="${status}"${more}/>`
const perhaps = (status: number) => answered(status, ' optional="true"')

/** `user` stands in From, where some switches look for who calls. */
function request(method: string, sequence: number, user: string, more: readonly string[] = [], to = ''): string {
  const aim = method === 'REGISTER' ? '[remote_ip]' : '[service]@[remote_ip]:[remote_port]'
  return [
    `${method} ${to === '' ? `sip:${aim}` : '[next_url]'} SIP/2.0`,
    'Via: SIP/2.0/UDP [local_ip]:[local_port];branch=[branch]',
    `From: <sip:${user}@[remote_ip]>;tag=[pid]t[call_number]`,
    to === '' ? 'To: <sip:[service]@[remote_ip]>' : to,
    'Call-ID: [call_id]',
    `CSeq: ${sequence} ${method}`,
    'Contact: <sip:test@[local_ip]:[local_port]>',
    'Max-Forwards: 70',
    ...more,
  ].join('\n')
}

const NOTHING = ['Content-Length: 0\n']
const OFFER = [
  'Content-Type: application/sdp',
  'Content-Length: [len]',
  '',
  'v=0',
  'o=test 1 1 IN IP4 [local_ip]',
  's=-',
  'c=IN IP4 [media_ip]',
  't=0 0',
  'm=audio [auto_media_port] RTP/AVP 8 101',
  'a=rtpmap:8 PCMA/8000',
  'a=rtpmap:101 telephone-event/8000',
]
const invite = (sequence: number, user: string, more: readonly string[] = []) =>
  send(request('INVITE', sequence, user, [...more, ...OFFER]), ' retrans="500"')
const acknowledge = (sequence: number, user: string) => send(request('ACK', sequence, user, NOTHING, '[last_To:]'), '')

/** A call that must be refused with `status`. */
export const refusedCall = (user: string, status: number) =>
  invite(1, user) + perhaps(100) + answered(status) + acknowledge(1, user)

/** A call that offers G.729 alone, and must be refused with 488. */
export const unheardCall = (user: string) =>
  refusedCall(user, 488).replace('RTP/AVP 8 101', 'RTP/AVP 18 101').replace('rtpmap:8 PCMA', 'rtpmap:18 G729')

/** A call that is given up within `withinMs` after the 100. An answer that crosses the CANCEL fails it. */
export const cancelledCall = (user: string, withinMs: number) =>
  invite(1, user) +
  answered(100) +
  `<pause distribution="uniform" min="0" max="${withinMs}"/>` +
  send(
    request('CANCEL', 1, user, NOTHING)
      .replace(/^Via:.*$/m, '[last_Via:]')
      .replace(/^Contact:.*\n/m, ''),
    '',
  ) +
  perhaps(180) +
  answered(200) +
  answered(487) +
  acknowledge(1, user)

/** A call with digest credentials that must be refused with `status` all the same. */
export const refusedCallWithPassword = (user: string, status: number) =>
  invite(1, user) +
  perhaps(100) +
  answered(401, ' auth="true"') +
  acknowledge(1, user) +
  invite(2, user, [`[authentication username=${user}]`]) +
  perhaps(100) +
  answered(status) +
  acknowledge(2, user)

/** A question about us that must be answered with `status`. */
export const options = (user: string, status: number) =>
  send(request('OPTIONS', 1, user, NOTHING), ' retrans="500"') + answered(status)

/** A phone that registers with digest credentials and is answered with `status`. */
export const registration = (user: string, status: number) =>
  send(request('REGISTER', 1, user, ['Expires: 60', ...NOTHING]), ' retrans="500"') +
  answered(401, ' auth="true"') +
  send(
    request('REGISTER', 2, user, ['Expires: 60', `[authentication username=${user}]`, ...NOTHING]),
    ' retrans="500"',
  ) +
  answered(status)

/** A call that is answered, and ended by the other side. */
export const callEndedByThem = (user: string) =>
  invite(1, user) +
  perhaps(100) +
  perhaps(180) +
  perhaps(183) +
  answered(200, ' rrs="true"') +
  acknowledge(1, user) +
  '<recv request="BYE"/>' +
  send('SIP/2.0 200 OK\n[last_Via:]\n[last_From:]\n[last_To:]\n[last_Call-ID:]\n[last_CSeq:]\nContent-Length: 0\n', '')
