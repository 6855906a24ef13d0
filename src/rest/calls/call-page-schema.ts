/** One call for a screen, on the wire (files-and-activities-10). */
import { Type } from 'typebox'
import type { StoryFlow, StoryRow } from '../../call-words/call-story.ts'
import type { PacingReason } from '../../dialer/placing.ts'
import type { CallActivity } from '../../ports/call-activity.ts'
import type { CallSound, DialedFacts } from '../../ports/calls/call-list.ts'
import {
  field,
  flag,
  instant,
  int,
  intOrNull,
  list,
  nested,
  nestedOrNull,
  shape,
  text,
  textOrNull,
} from '../http/shape.ts'
import { CALL } from './call-schema.ts'

/** A call and what is told of it. */
export interface CallPage {
  readonly call: CallActivity
  readonly dialed: DialedFacts | null
  readonly servedBy: ServingNode | null
  readonly flow: StoryFlow | null
  readonly legs: readonly ShownLeg[]
  readonly ladder: ShownLadder
  readonly sound: readonly CallSound[]
}

/** The node that served a call. */
export interface ServingNode {
  readonly node: string
  readonly isThis: boolean
  /** Where it is reached; null while it is not up. */
  readonly endpoint: string | null
}

export interface ShownLeg {
  readonly kind: 'caller' | 'callee' | 'agent' | 'transfer'
  readonly who: string
  readonly createdAtMs: number
  readonly ringingAtMs: number | null
  readonly answeredAtMs: number | null
  readonly endedAtMs: number | null
  readonly end: string | null
}

export interface ShownLadder {
  readonly state: keyof typeof LADDER_NOTES
  readonly isCut: boolean
  readonly rows: readonly StoryRow[]
}

/** Why there are no rows, and what can be done. */
export const LADDER_NOTES = {
  here: null,
  notAllowed: 'The ladder has what was said and typed: it needs the scope transcripts:read.',
  erased: 'The call was erased, and its journal with it.',
  notHere:
    'The journal of this node has nothing of this call: another node served it (ask the one of servedBy), or its ' +
    'file was deleted (RETENTION_JOURNAL_DAYS, JOURNAL_FILES).',
} as const

/** Each reason of the pacer as a sentence; new reasons fail the type check until they have one. */
const WHY: Readonly<Record<PacingReason, string>> = {
  byHand: 'An agent asked for the line.',
  oneToOne: 'One line for each idle agent.',
  ratio: 'A fixed number of lines for each idle agent.',
  risk: 'As many lines as could be placed before the next one was too likely to be abandoned.',
  enoughOut: 'The lines out were enough.',
  noIdleAgent: 'No agent was idle.',
  callersWaiting: 'Callers waited: one line for each idle agent, no more.',
  callbackDue: 'An agent was kept free for a promised callback.',
  slowedDown: 'A supervisor had slowed the campaign down.',
  notItsTurn: 'Other campaigns of the same agents or trunk were behind their shares.',
  ledgerFull: 'As many lines as the budget of abandoned calls allowed.',
  agentMax: 'The most lines for each agent.',
  trunkFull: 'As many lines as the trunk had free.',
  paced: 'As many calls as the trunk takes in a second, or in a tenth of it.',
  noTrunk: 'The configuration had no trunk for the campaign.',
  carrierFailing: 'A probe: calls over the trunk failed.',
  notKnown: 'The pacer did not know enough for more.',
}

const DIALED = shape<DialedFacts>({
  campaignName: text(({ campaignName }) => campaignName, 'The name of the campaign.'),
  attemptNo: int(({ attemptNumber }) => attemptNumber, 'Of its call task, from 1.'),
  claimTs: instant(({ claimedAtMs }) => claimedAtMs, 'When it was decided to dial.'),
  dialTs: instant(({ dialedAtMs }) => dialedAtMs, 'When it was dialed.'),
  trunk: textOrNull((facts) => facts.trunk, 'The trunk.'),
  rules: textOrNull((facts) => facts.rules, 'Name and version of the dialing rules that permitted it.'),
  reason: textOrNull(({ why }) => why, 'Why the pacer placed so many lines then: oneToOne, ratio, risk…'),
  reasonText: textOrNull(({ why }) => WHY[why as PacingReason] ?? null, 'The same as a sentence.'),
  madeFor: textOrNull(({ madeFor }) => madeFor, 'The agent for whom it was placed, where it was for one.'),
})

const NODE = shape<ServingNode>({
  node: text(({ node }) => node, 'Its NODE_NAME.'),
  thisNode: flag(({ isThis }) => isThis, 'Whether it is the node that answers.'),
  endpoint: textOrNull(({ endpoint }) => endpoint, 'Where it is reached; null while it is not up.'),
})

const FLOW = shape<StoryFlow>({
  name: text(({ name }) => name),
  revision: text(({ revision }) => revision, 'The revision of the flow that took the call.'),
  outcome: textOrNull(({ outcome }) => outcome, 'How the flow ended; null if that was not recorded.'),
  path: field(Type.Array(Type.String(), { description: 'The steps, in order.' }), ({ path }) => path),
  marks: field(Type.Array(Type.String(), { description: 'Marks that steps set.' }), ({ marks }) => marks),
})

const LEG = shape<ShownLeg>({
  kind: text(({ kind }) => kind, 'caller, callee, agent, transfer'),
  who: text(({ who }) => who, 'The number, or the user name of the agent.'),
  creationTs: instant(({ createdAtMs }) => createdAtMs, 'When it began.'),
  ringTs: instant(({ ringingAtMs }) => ringingAtMs, 'When it rang.'),
  startTs: instant(({ answeredAtMs }) => answeredAtMs, 'When it was answered.'),
  endTs: instant(({ endedAtMs }) => endedAtMs, 'When it ended.'),
  end: textOrNull(({ end }) => end, 'How it ended, where that is known: hungUp, busy, noAnswer…'),
})

const ROW = shape<StoryRow>({
  ts: instant(({ atMs }) => atMs, 'When.'),
  lane: text(({ lane }) => lane, 'caller (the other side), engine, agent'),
  way: text(({ way }) => way, 'in: a fact that came in; out: a command that went out; none'),
  text: text((row) => row.text, 'Plain text; show it as text and never as HTML.'),
})

const LADDER = shape<ShownLadder>({
  state: text(({ state }) => state, `${Object.keys(LADDER_NOTES).join(', ')}; only here has rows.`),
  note: textOrNull(({ state }) => LADDER_NOTES[state], 'Why there are no rows.'),
  cut: field(Type.Boolean({ description: 'Whether later rows are left out.' }), ({ isCut }) => isCut),
  rows: list(ROW, ({ rows }) => rows, 'In order.'),
})

const SOUND = shape<CallSound>({
  userName: text(({ agent }) => agent, 'The agent in whose browser it was heard.'),
  lossPercent: field(
    Type.Union([Type.Number(), Type.Null()], { description: 'The most packets of 10 s that were lost, in percent.' }),
    ({ lossPercent }) => lossPercent,
  ),
  roundTripMs: intOrNull(({ roundTripMs }) => roundTripMs, 'The longest round trip, as an average of 10 s.'),
  silentIn: field(
    Type.Boolean({ description: 'Whether nothing came from the other side for a time.' }),
    ({ isSilentIn }) => isSilentIn,
  ),
  silentOut: field(
    Type.Boolean({ description: 'Whether nothing came from the agent for a time.' }),
    ({ isSilentOut }) => isSilentOut,
  ),
  firstTs: instant(({ firstAtMs }) => firstAtMs, 'The first report.'),
  lastTs: instant(({ lastAtMs }) => lastAtMs, 'The last report.'),
})

/** The object itself. */
export const CALL_PAGE = shape<CallPage>({
  call: nested(CALL, ({ call }) => call, 'The call, as the list has it.'),
  dialed: nestedOrNull(DIALED, ({ dialed }) => dialed, 'Why it was dialed; null if it belongs to no call task.'),
  servedBy: nestedOrNull(
    NODE,
    ({ servedBy }) => servedBy,
    'The node that served it, and has its journal and its recordings; null: not known.',
  ),
  flow: nestedOrNull(FLOW, ({ flow }) => flow, 'Where it went; null without a flow, and where the ladder has no rows.'),
  legs: list(LEG, ({ legs }) => legs, 'The other side, then the phones of agents, then transfers.'),
  ladder: nested(LADDER, ({ ladder }) => ladder, 'What happened, from the journal of the node that answers.'),
  sound: list(SOUND, ({ sound }) => sound, 'How badly agents heard it whose phone is a browser; [] if nobody did.'),
})
