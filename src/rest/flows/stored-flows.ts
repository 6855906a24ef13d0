/** Reading flows: the live ones, their revisions, and drafts. */
import { Type } from 'typebox'
import type { FlowName } from '../../kernel/ids.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { instantText, totals } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { PLAIN_READ, type Route, route } from '../http/route.ts'
import {
  authorOf,
  DraftOut,
  FlowPath,
  LiveOut,
  mustOwnFlows,
  NoteIn,
  ownsFlows,
  StoredOut,
  shownLive,
  shownStored,
  TextIn,
  TextOut,
} from './flow-schema.ts'

type Dependencies = Pick<RestDependencies, 'flowRevisions' | 'flowCanaries' | 'flowWorkshop' | 'clock'>

const NO_FLOW = refuse('notFound', 'there is no such flow; GET /svcpbx/flows lists them')
const NO_REVISION = refuse('notFound', 'the flow has no such revision; GET /svcpbx/flows/{flow}/revisions lists them')
const TOO_MANY_DRAFTS = refuse('conflict', 'other flows have 500 drafts already; delete those that nobody needs')
const NO_DRAFT = refuse('notFound', 'the flow has no draft; PUT saves one')

/** What is live, what was, and what may be next. */
export function flowReadingRoutes(dependencies: Dependencies): Route[] {
  const { flowRevisions, clock } = dependencies
  return [
    listFlows(dependencies),
    listRevisions(dependencies),
    readRevision(dependencies),
    route({
      method: 'GET',
      path: '/svcpbx/flows/{flow}/draft',
      scope: 'flows:write',
      audit: PLAIN_READ,
      summary: 'The draft of a flow',
      params: FlowPath,
      answers: { 200: DraftOut },
      async handle({ params, asker }) {
        mustOwnFlows(asker)
        const flow = params.flow as FlowName
        const draft = await flowRevisions.draft(flow)
        if (!draft) return NO_DRAFT
        const { savedAtMs, ...rest } = draft
        return { body: { flow, ...rest, savedTs: instantText(savedAtMs) } }
      },
    }),
    route({
      method: 'PUT',
      path: '/svcpbx/flows/{flow}/draft',
      scope: 'flows:write',
      audit: { action: 'change', object: 'flowDraft', by: 'flow' },
      summary: 'Save the draft of a flow',
      description: 'A flow has one draft, of whoever saved it last. It may have errors, and no call takes it.',
      params: FlowPath,
      body: Type.Object({ text: TextIn('The YAML of the flow.'), note: NoteIn }),
      answers: { 200: DraftOut },
      async handle({ params, body: { text, note = null }, asker }) {
        mustOwnFlows(asker)
        const flow = params.flow as FlowName
        const draft = { text: text.toWellFormed(), author: authorOf(asker), note, savedAtMs: clock.nowMs() }
        if (!(await flowRevisions.saveDraft(flow, draft))) return TOO_MANY_DRAFTS
        const { savedAtMs, ...rest } = draft
        return { body: { flow, ...rest, savedTs: instantText(savedAtMs) } }
      },
    }),
    route({
      method: 'DELETE',
      path: '/svcpbx/flows/{flow}/draft',
      scope: 'flows:write',
      audit: { action: 'delete', object: 'flowDraft', by: 'flow' },
      summary: 'Throw the draft of a flow away',
      params: FlowPath,
      answers: { 200: Type.Object({ flow: Type.String({ description: 'The name of the flow.' }) }) },
      async handle({ params, asker }) {
        mustOwnFlows(asker)
        const isGone = await flowRevisions.dropDraft(params.flow as FlowName)
        return isGone ? { body: { flow: params.flow } } : NO_DRAFT
      },
    }),
  ]
}

function listFlows({ flowRevisions, flowCanaries, flowWorkshop }: Dependencies): Route {
  return route({
    method: 'GET',
    path: '/svcpbx/flows',
    scope: 'flows:write',
    audit: PLAIN_READ,
    summary: 'Flows and their live revisions',
    description: 'Flows belong to the corporation of the configuration; other corporations get an empty list.',
    answers: {
      200: Type.Object({
        flows: Type.Array(LiveOut, { description: 'By name.' }),
        problems: Type.Array(Type.String(), {
          description:
            'Errors of flow files and of live revisions on this node, as file:line:column. The last good revision ' +
            'of each flow goes on.',
        }),
      }),
    },
    async handle({ asker }) {
      if (!ownsFlows(asker)) return { body: { flows: [], problems: [] } }
      const live = await flowRevisions.live()
      const canaries = new Map((await flowCanaries.running()).map((canary) => [canary.flow, canary]))
      const flows = live.map((flow) => shownLive(flow, canaries.get(flow.flow), flowWorkshop))
      return { body: { flows, problems: [...flowWorkshop.problems()] } }
    },
  })
}

function listRevisions({ flowRevisions }: Dependencies): Route {
  return route({
    method: 'GET',
    path: '/svcpbx/flows/{flow}/revisions',
    scope: 'flows:write',
    audit: PLAIN_READ,
    summary: 'The revisions of a flow, the live one first, then those that were live last',
    description: 'At most 200. Revisions never change and are never deleted.',
    params: FlowPath,
    answers: { 200: Type.Array(StoredOut) },
    async handle({ params, asker }) {
      mustOwnFlows(asker)
      const found = await flowRevisions.revisions(params.flow as FlowName)
      if (found.length === 0) return NO_FLOW
      return { headers: totals(found.length), body: found.map(shownStored) }
    },
  })
}

function readRevision({ flowRevisions }: Dependencies): Route {
  return route({
    method: 'GET',
    path: '/svcpbx/flows/{flow}/revisions/{revision}',
    scope: 'flows:write',
    audit: PLAIN_READ,
    summary: 'The text of a revision',
    params: Type.Object({
      flow: FlowPath.properties.flow,
      revision: Type.String({ pattern: '^[0-9a-f]{12}$', description: 'The revision, as the list gives it.' }),
    }),
    answers: { 200: TextOut },
    async handle({ params, asker }) {
      mustOwnFlows(asker)
      const found = await flowRevisions.read(params.revision)
      if (found?.flow !== params.flow) return NO_REVISION
      const { createdAtMs, ...rest } = found
      return { body: { ...rest, creationTs: instantText(createdAtMs) } }
    },
  })
}
