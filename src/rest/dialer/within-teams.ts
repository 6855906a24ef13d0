/** Campaigns, queues and call tasks of other teams do not exist for a supervisor who was given teams (rest-35). */
import type { CallTaskId, CampaignId } from '../../kernel/ids.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { refuse } from '../http/problem-response.ts'
import type { Asker, Route } from '../http/route.ts'

type Dependencies = Pick<RestDependencies, 'clock' | 'dialerAdmin' | 'dialerRepository' | 'directory'>

interface Named {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

const NO_CAMPAIGN = refuse('notFound', 'there is no campaign with this callCode')
const NO_IMPORT = refuse('notFound', 'there is no import with this importId; imports are kept for 30 days')
const NO_TASK = refuse('notFound', 'there is no call task with this itcaId')

const NO_QUEUE = refuse('notFound', 'there is no queue with this ucquId; GET /svcpbx/queue lists them')

/** The operations, each refused where it names a campaign, queue or call task of another team. */
export function withinTeams(routes: readonly Route[], dependencies: Dependencies): Route[] {
  return routes.map((one) => ({
    ...one,
    async handle(asked) {
      if (asked.asker.teams === undefined) return one.handle(asked)
      if (!(await isTheirQueue(dependencies, asked.asker, asked.params))) return NO_QUEUE
      const { importId } = asked.params as { importId?: string }
      if (importId !== undefined && !(await isTheirImport(dependencies, asked.asker, importId))) return NO_IMPORT
      const task = Number((asked.params as { itcaId?: unknown }).itcaId)
      const isOfTask = Number.isSafeInteger(task)
      const campaigns = isOfTask ? await campaignsOf(dependencies, task) : namedCampaigns(asked)
      if (await areTheirs(dependencies, asked.asker, campaigns)) return one.handle(asked)
      return isOfTask ? NO_TASK : NO_CAMPAIGN
    },
  }))
}

async function campaignsOf({ clock, dialerRepository }: Dependencies, task: number): Promise<CampaignId[]> {
  const found = await dialerRepository.describeTasks([task as CallTaskId], clock.nowMs())
  return found.map(({ campaign }) => campaign)
}

/** An import belongs to the team of its campaign. */
async function isTheirImport(dependencies: Dependencies, asker: Asker, importId: string): Promise<boolean> {
  const job = await dependencies.dialerAdmin.findImport(asker.corporations, importId)
  return job === undefined || areTheirs(dependencies, asker, [job.campaign])
}

/** True of an operation that names none, or one that is not there. */
async function isTheirQueue({ directory }: Dependencies, { corporations, teams }: Asker, params: unknown) {
  const { ucquId } = params as { ucquId?: unknown }
  if (ucquId === undefined) return true
  const queue = (await directory.teams(corporations, true)).find(({ id }) => id === ucquId)
  return queue === undefined || teams?.includes(queue.name) === true
}

/** In the path, in the query of a sheet, in the body of an import, or among campaigns to save. */
function namedCampaigns({ params, query, body }: Named): CampaignId[] {
  const { callCodes } = (body ?? {}) as { callCodes?: unknown }
  const all = [params, query, body, ...(Array.isArray(callCodes) ? callCodes : [])]
  const codes = all.map((one) => (one as { callCode?: unknown } | null | undefined)?.callCode)
  return codes.flatMap((code) => {
    const id = typeof code === 'string' ? Number(code) : code
    return Number.isSafeInteger(id) ? [id as CampaignId] : []
  })
}

/** A campaign that does not exist is left to the operation, which says so in its own way. */
async function areTheirs(
  { dialerAdmin }: Dependencies,
  { corporations, teams }: Asker,
  ids: readonly CampaignId[],
): Promise<boolean> {
  if (ids.length === 0) return true
  const { campaigns } = await dialerAdmin.findCampaigns({ corporations, ids, page: 0, rowsMax: ids.length })
  return campaigns.every(({ team }) => team !== undefined && teams?.includes(team))
}
