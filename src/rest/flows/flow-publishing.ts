/** Checking, testing and publishing flows, and going back to an earlier revision. */
import { Type } from 'typebox'
import type { FlowName } from '../../kernel/ids.ts'
import type { FlowStepChanges } from '../../ports/flows/flow-revisions.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { refuse } from '../http/problem-response.ts'
import { type Route, route } from '../http/route.ts'
import {
  authorOf,
  ChangesOut,
  FlowPath,
  MistakeOut,
  mustOwnFlows,
  NoteIn,
  PublishedOut,
  REVISION_PATTERN,
  refuseText,
  TEXT_LENGTH_MAX,
  TextIn,
} from './flow-schema.ts'

type Dependencies = Pick<RestDependencies, 'flowRevisions' | 'flowCanaries' | 'flowWorkshop' | 'clock'>

/** Of an order with one text, in bytes: a text in JSON may need six characters for one. */
export const bodyBytesMax = 6 * TEXT_LENGTH_MAX
const RETRY_AFTER_S = 5
/** For the audit. */
export const KEEPS_NOTHING = { none: 'it keeps nothing, and no call hears of it' }

/** Why work on a text was not done. */
export const NOT_DONE = {
  busy: refuse('tooManyRequests', 'other flows are being checked or tested; try again in some seconds', {
    headers: { 'retry-after': String(RETRY_AFTER_S) },
  }),
  tooLong: refuse('validation', 'it took longer than 20 s or too much memory; make the text smaller'),
  closed: refuse('unavailable', 'the service is stopping; try another node'),
}

/** The operations that end in what callers hear. */
export function flowPublishingRoutes(dependencies: Dependencies): Route[] {
  return [checkFlow(dependencies), testFlow(dependencies), publishFlow(dependencies), rollbackFlow(dependencies)]
}

function checkFlow({ flowRevisions, flowWorkshop }: Dependencies): Route {
  return route({
    method: 'POST',
    path: '/svcpbx/flows/check',
    scope: 'flows:write',
    audit: KEEPS_NOTHING,
    rate: 'writes',
    summary: 'Check the text of a flow',
    description:
      'What `switchboard flow check` and `flow diff` find. Teams, numbers, addresses and secrets that the ' +
      'configuration does not have are errors in a flow that answers a number.',
    body: Type.Object({
      text: TextIn('The YAML of the flow.'),
      comparedTo: Type.Optional(
        Type.String({
          pattern: REVISION_PATTERN,
          description: 'A revision: `changes` says what callers would notice.',
        }),
      ),
    }),
    bodyBytesMax,
    answers: {
      200: Type.Object({
        ok: Type.Boolean({ description: 'Whether it may be published.' }),
        flow: Type.Union([Type.String(), Type.Null()], { description: 'Its name; null with an error.' }),
        revision: Type.Union([Type.String(), Type.Null()], { description: 'Its revision; null with an error.' }),
        problems: Type.Array(MistakeOut, { description: 'Errors and warnings, in the order of the text.' }),
        changes: Type.Union([Type.Array(ChangesOut), Type.Null()], {
          description: 'Differences to `comparedTo`, in the order of the new text; null without it, or with an error.',
        }),
      }),
    },
    async handle({ body: { text, comparedTo }, asker }) {
      mustOwnFlows(asker)
      const before = comparedTo === undefined ? undefined : await flowRevisions.read(comparedTo)
      if (comparedTo !== undefined && !before) return refuse('notFound', `there is no revision ${comparedTo}`)
      const checked = await flowWorkshop.check(text.toWellFormed(), before?.text)
      if (!checked.ok) return NOT_DONE[checked.why]
      const { flow, revision, problems, changes } = checked.result
      const found = { flow: flow ?? null, revision: revision ?? null, problems: [...problems] }
      return { body: { ok: flow !== undefined, ...found, changes: changes?.map(shownChange) ?? null } }
    },
  })
}

function shownChange({ changes, ...step }: FlowStepChanges) {
  return { ...step, changes: [...changes] }
}

const Tested = Type.Object({
  passed: Type.Boolean({ description: 'Whether every test and every property holds.' }),
  problems: Type.Array(
    Type.Object({
      in: Type.Enum(['text', 'tests'], { description: 'Which of the two texts is wrong.' }),
      ...MistakeOut.properties,
    }),
    { description: 'Errors of the texts; with one of them nothing is run.' },
  ),
  tests: Type.Array(
    Type.Object({
      name: Type.String({ description: 'The name of the test.' }),
      passed: Type.Boolean({ description: 'Whether the call went as the test says.' }),
      line: Type.Integer({ description: 'Of the test, or of what failed in it.' }),
      column: Type.Integer({ description: 'From 1, as editors count.' }),
      message: Type.Union([Type.String(), Type.Null()], { description: 'What happened instead; null if it passed.' }),
    }),
    { description: 'Each test, in the order of its text.' },
  ),
  faults: Type.Array(
    Type.Object({
      where: Type.String({ description: 'Which hang-up, crash or random caller.' }),
      message: Type.String({ description: 'What does not hold.' }),
    }),
    { description: 'Of what must hold for every flow, without a test.' },
  ),
  coveredPercent: Type.Union([Type.Number(), Type.Null()], {
    description: 'Share of steps and branches that a test went through; null if nothing was run.',
  }),
  untested: Type.Array(
    Type.Object({
      what: Type.String({ description: 'A step, or a branch of one.' }),
      line: Type.Integer({ description: 'In the text of the flow.' }),
    }),
    { description: 'Steps and branches that no test went through.' },
  ),
})

function testFlow({ flowWorkshop }: Dependencies): Route {
  return route({
    method: 'POST',
    path: '/svcpbx/flows/test',
    scope: 'flows:write',
    audit: KEEPS_NOTHING,
    rate: 'imports',
    summary: 'Play the tests of a flow on virtual time',
    description:
      'What `switchboard flow test --coverage` reports. No call is made. One test runs at a time on each node, for ' +
      'at most 20 s.',
    body: Type.Object({
      text: TextIn('The YAML of the flow.'),
      tests: TextIn('The YAML of its tests, as in FLOW.test.yaml.'),
    }),
    bodyBytesMax: 2 * bodyBytesMax,
    answers: { 200: Tested },
    async handle({ body, asker }) {
      mustOwnFlows(asker)
      const tested = await flowWorkshop.test(body)
      return tested.ok ? { body: tested.result } : NOT_DONE[tested.why]
    },
  })
}

const CanaryIn = Type.Object(
  {
    percent: Type.Integer({ minimum: 1, maximum: 99, description: 'Share of the new calls that take it.' }),
  },
  {
    description:
      'Puts the revision on trial instead: a share of the new calls takes it, until it is promoted or withdrawn. It ' +
      'is withdrawn by itself when its callers hang up, say nothing or fail at a step more often than others.',
  },
)

function publishFlow({ flowRevisions, flowCanaries, flowWorkshop, clock }: Dependencies): Route {
  return route({
    method: 'POST',
    path: '/svcpbx/flows/{flow}/publish',
    scope: 'flows:write',
    audit: { action: 'change', object: 'flow', by: 'flow' },
    summary: 'Publish a revision of a flow',
    description:
      'New calls take it on all nodes; running calls keep the revision that they are in. A text with an error is ' +
      'refused with its places. A flow file that changes later is published over it.',
    params: FlowPath,
    body: Type.Object({
      text: Type.Optional(TextIn('The YAML of the flow. Default: its draft, which is then thrown away.')),
      note: NoteIn,
      canary: Type.Optional(CanaryIn),
      replaces: Type.Optional(
        Type.String({
          pattern: REVISION_PATTERN,
          description: 'The revision that the author has seen; if another one is live by now, the answer is 409.',
        }),
      ),
    }),
    bodyBytesMax,
    answers: { 200: PublishedOut },
    example: { body: { text: 'flow: hello\nstart: bye\nsteps:\n  bye: { hangup: { say: Goodbye. } }\n' } },
    async handle({ params, body: { text: given, note, replaces, canary }, asker }) {
      mustOwnFlows(asker)
      const flow = params.flow as FlowName
      const draft = given === undefined ? await flowRevisions.draft(flow) : undefined
      const text = (given ?? draft?.text)?.toWellFormed()
      if (text === undefined) return refuse('validation', 'text: the flow has no draft; give the text')
      const checked = await flowWorkshop.check(text)
      if (!checked.ok) return NOT_DONE[checked.why]
      const { flow: name, revision, problems } = checked.result
      if (name === undefined || revision === undefined) return refuseText(problems)
      if (name !== flow) return wrongName(name, flow)
      const signed = { author: authorOf(asker), note: note ?? draft?.note ?? null, atMs: clock.nowMs() }
      const publication = { flow, revision, text, ...signed, ...(replaces !== undefined && { replaces }) }
      const published = canary
        ? await flowCanaries.begin({ ...publication, percent: canary.percent })
        : await flowRevisions.publish(publication)
      if (typeof published !== 'string') {
        return canary && published.liveNow === undefined ? NOTHING_LIVE : overtaken(published.liveNow)
      }
      if (published === 'is live') return refuse('conflict', 'this revision is live; there is nothing to try out')
      if (draft) await flowRevisions.dropDraft(flow)
      await flowWorkshop.follow()
      const here = canary ? flowWorkshop.onTrial(flow) : flowWorkshop.taken(flow)
      const changed = published === 'published' || published === 'begun'
      return { body: { flow, revision, changed, takenHere: here === revision } }
    },
  })
}

function rollbackFlow({ flowRevisions, flowWorkshop, clock }: Dependencies): Route {
  return route({
    method: 'POST',
    path: '/svcpbx/flows/{flow}/rollback',
    scope: 'flows:write',
    audit: { action: 'change', object: 'flow', by: 'flow' },
    summary: 'Go back to an earlier revision of a flow',
    description:
      'New calls take it on all nodes; running calls keep the revision that they are in. The present text of the ' +
      'flow file does not come back by itself; the file is published when it changes.',
    params: FlowPath,
    body: Type.Object({
      revision: Type.Optional(
        Type.String({
          pattern: REVISION_PATTERN,
          description: 'Default: the newest one that is older than the live one.',
        }),
      ),
      note: NoteIn,
    }),
    bodyMayBeAbsent: true,
    answers: { 200: PublishedOut },
    async handle({ params, body: { revision: wanted, note = null }, asker }) {
      mustOwnFlows(asker)
      const flow = params.flow as FlowName
      const revision = await flowRevisions.earlier(flow, wanted)
      const stored = revision === undefined ? undefined : await flowRevisions.read(revision)
      if (revision === undefined || !stored) return nothingEarlier(wanted)
      const checked = await flowWorkshop.check(stored.text)
      if (!checked.ok) return NOT_DONE[checked.why]
      if (checked.result.flow === undefined) return refuseText(checked.result.problems)
      const signed = { author: authorOf(asker), note, atMs: clock.nowMs() }
      const { outcome } = await flowRevisions.goBack(flow, revision, signed)
      if (outcome === 'none') return nothingEarlier(wanted)
      await flowWorkshop.follow()
      const takenHere = flowWorkshop.taken(flow) === revision
      return { body: { flow, revision, changed: outcome === 'live', takenHere } }
    },
  })
}

function wrongName(name: string, flow: string) {
  const message = `the text is of the flow ${name}; publish it as ${name}, or write "flow: ${flow}"`
  return refuse('validation', `text: ${message}`, { errors: [{ path: 'text', code: 'flow', message }] })
}

const NOTHING_LIVE = refuse('conflict', 'the flow has no live revision to compare with; publish it without a canary')

function overtaken(liveNow: string | undefined) {
  const now = liveNow === undefined ? 'no revision' : `revision ${liveNow}`
  return refuse('conflict', `${now} is live by now; read it, and publish again with replaces set to it`)
}

function nothingEarlier(wanted: string | undefined) {
  const what = wanted === undefined ? 'no revision older than the live one' : 'no such revision'
  return refuse('notFound', `the flow has ${what}; GET /svcpbx/flows/{flow}/revisions lists them`)
}
