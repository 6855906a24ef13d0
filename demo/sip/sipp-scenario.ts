/**
 * Scenarios for SIPp, which does the signalling of our real phones: generated XML, one file per phone.
 *
 * SIPp reports events with `<log>` lines, which it writes and flushes in order; a reader can follow them. Each is
 * `switchboard WORD call-number …` (see `SippFact`).
 */
import type { Callee } from '../../src/sim/person.ts'
import type { RtpAddress } from './rtp-peer.ts'
import * as xml from './sipp-xml.ts'

/** Final responses that a switch may refuse a call with; SIPp wants each by its number. */
const REFUSALS = [
  400, 401, 403, 404, 407, 408, 410, 415, 480, 481, 482, 484, 486, 487, 488, 500, 501, 502, 503, 504, 603,
]

/** One call as the scenario needs it. Durations in milliseconds. */
export interface CallerScenario {
  readonly called: string
  /** Absent: withheld (RFC 3323: an anonymous From). */
  readonly caller: string | undefined
  readonly headers?: readonly string[] | undefined
  /** Where this phone wants its sound. */
  readonly media: RtpAddress
  readonly hangsUpAfterMs: number | undefined
  /** Gives up (CANCEL) without an answer by then, and hangs up this long after the answer. */
  readonly waitsMaxMs: number
}

/** One outgoing call: INVITE, then BYE by either side. */
export function callerScenario(call: CallerScenario): string {
  const { called, caller, headers = [], media, hangsUpAfterMs, waitsMaxMs } = call
  const address = `sip:${xml.userPart(called)}@[remote_ip]:[remote_port]`
  const name = caller === undefined ? '"Anonymous" <sip:anonymous@anonymous.invalid>' : callerAddress(caller)
  const party = { from: `${name};tag=[pid]c[call_number]`, to: `<${address}>` }
  // To of later requests carries the other side's tag; the answer to a refusal or CANCEL keeps the INVITE's branch.
  const later = { from: party.from, to: '[$theirTo]' }
  const invite = {
    ...party,
    cseq: '1 INVITE',
    more: ['Contact: <sip:phone@[local_ip]:[local_port]>', ...headers],
    body: xml.sdp(media),
  }
  const patience = `timeout="${waitsMaxMs}" ontimeout="cancel"`
  return xml.scenario('a caller', [
    xml.send(xml.request(`INVITE ${address}`, invite), 'retrans="500"'),
    ...[100, 180, 183].map((code) => xml.recv(`response="${code}" optional="true" ${patience}`)),
    ...REFUSALS.map((code) =>
      xml.recv(
        `response="${code}" optional="true" next="refused" ${patience}`,
        readTo() + xml.log(`refused [call_number] ${code}`),
      ),
    ),
    xml.recv(
      `response="200" rrs="true" ${patience}`,
      readTo() + xml.readSdp() + xml.log(`answered [call_number] ${xml.THEIR_MEDIA}`),
    ),
    xml.send(xml.request('ACK [next_url]', { ...later, cseq: '1 ACK' })),
    ...untilBye(hangsUpAfterMs ?? waitsMaxMs, xml.request('BYE [next_url]', { ...later, cseq: '2 BYE' })),
    xml.label('refused'),
    xml.send(xml.request(`ACK ${address}`, { ...later, cseq: '1 ACK', via: '[last_Via:]' }), 'next="end"'),
    xml.label('cancel'),
    xml.send(xml.request(`CANCEL ${address}`, { ...party, cseq: '1 CANCEL', via: '[last_Via:]' }), 'retrans="500"'),
    xml.recv('response="200"'),
    xml.recv('response="487"', readTo() + xml.log('gaveUp [call_number]')),
    xml.send(xml.request(`ACK ${address}`, { ...later, cseq: '1 ACK', via: '[last_Via:]' })),
    xml.label('end'),
    xml.mention('mediaLine', 'audioLine'),
  ])
}

/** A phone that is called, again and again, and does the same each time. */
export function calleeScenario(callee: Callee, media: RtpAddress): string {
  const steps = {
    answer: answering(callee, media),
    busy: refusing(callee),
    reject: refusing(callee),
    ignore: ringing(),
  }
  return xml.scenario(`a phone (${callee.does})`, [
    // Written a millisecond before SIPp binds; an INVITE in between is sent again (RFC 3261 17.1.1.2).
    `<init><nop><action>${xml.log('ready')}</action></nop></init>`,
    xml.recv(
      'request="INVITE" crlf="true" rrs="true"',
      readTo() + readFrom() + readCseq() + xml.readSdp() + xml.log(`ringing [call_number] ${xml.THEIR_MEDIA}`),
    ),
    xml.send(xml.response('180 Ringing', { more: [CONTACT] })),
    ...steps[callee.does],
    xml.label('end'),
    xml.mention('mediaLine', 'audioLine', 'theirTo', 'theirFrom', 'inviteCseq', 'cseqLine'),
  ])
}

const CONTACT = 'Contact: <sip:[local_ip]:[local_port];transport=[transport]>'

/** Rings, answers, and stays until a side hangs up. A CANCEL before the answer ends it. */
function answering({ afterMs, hangsUpAfterMs }: Callee, media: RtpAddress): string[] {
  // From and To change places: we are the called one, and now we ask.
  const bye = { from: '[$theirTo];tag=[pid]s[call_number]', to: '[$theirFrom]', cseq: '1 BYE' }
  return [
    xml.recv(
      `request="CANCEL" timeout="${Math.max(1, afterMs)}" ontimeout="answer"`,
      xml.log('cancelled [call_number]'),
    ),
    ...cancelled(),
    xml.label('answer'),
    xml.send(xml.response('200 OK', { more: [CONTACT], body: xml.sdp(media), cseq: '[$inviteCseq]' }), 'retrans="500"'),
    xml.recv('request="ACK"', xml.log(`answered [call_number] ${xml.THEIR_MEDIA}`)),
    ...untilBye(hangsUpAfterMs, xml.request('BYE [next_url]', bye)),
  ]
}

function refusing({ does, afterMs }: Callee): string[] {
  const status = does === 'busy' ? '486 Busy Here' : '603 Decline'
  return [
    xml.recv(
      `request="CANCEL" timeout="${Math.max(1, afterMs)}" ontimeout="refuse"`,
      xml.log('cancelled [call_number]'),
    ),
    ...cancelled(),
    xml.label('refuse'),
    xml.send(xml.response(status), 'retrans="500"'),
    xml.recv('request="ACK"', xml.log('refused [call_number]')),
  ]
}

function ringing(): string[] {
  return [xml.recv('request="CANCEL"', xml.log('cancelled [call_number]')), ...cancelled()]
}

function cancelled(): string[] {
  return [
    xml.send(xml.response('200 OK')),
    xml.send(xml.response('487 Request Terminated', { cseq: '[$inviteCseq]' }), 'retrans="500"'),
    xml.recv('request="ACK" next="end"'),
  ]
}

/** Connected: BYE from them, or ours after a while. Crossing BYEs are answered by SIPp itself. */
function untilBye(afterMs: number | undefined, bye: string): string[] {
  const limit = afterMs === undefined ? '' : `timeout="${Math.max(1, afterMs)}" ontimeout="bye"`
  return [
    xml.recv(`request="BYE" ${limit}`, xml.log('hungUp [call_number] them')),
    xml.send(xml.response('200 OK').replace(';tag=[pid]s[call_number]', ''), 'next="end"'),
    xml.label('bye'),
    `<nop><action>${xml.log('hungUp [call_number] us')}</action></nop>`,
    xml.send(bye, 'retrans="500"'),
    xml.recv('response="200" next="end"'),
  ]
}

function callerAddress(caller: string): string {
  return `"${xml.userPart(caller)}" <sip:${xml.userPart(caller)}@[local_ip]:[local_port]>`
}

function readTo(): string {
  return '<ereg regexp=".*" search_in="hdr" header="To:" assign_to="theirTo"/>'
}

function readFrom(): string {
  return '<ereg regexp=".*" search_in="hdr" header="From:" assign_to="theirFrom"/>'
}

/** The whole header line, for answers that come after another request was received. */
function readCseq(): string {
  return (
    '<ereg regexp=".*" search_in="hdr" header="CSeq:" assign_to="cseqLine"/>' +
    '<assignstr assign_to="inviteCseq" value="CSeq:[$cseqLine]"/>'
  )
}
