/** What the node knows about a call task: the task with its attempts, its campaign, and the campaign's outcomes. */
import { useQuery } from '@tanstack/react-query'
import { ask } from '../session/ask.ts'
import { isZone } from './zone-time.ts'

const NONE = -1

/** `itcaId` undefined: nobody knows who it is, and nothing is asked. */
export function useCallTask(itcaId: number | undefined) {
  return useQuery({
    queryKey: ['callTask', itcaId],
    enabled: itcaId !== undefined,
    staleTime: 0,
    queryFn: async () => {
      const body = { itcaIds: [itcaId ?? NONE], detail: true }
      return (await ask('POST /dialer/calltaskget', { body })).callTasks[0] ?? null
    },
  })
}

/** The campaign's name and script, and the zone of its calling hours, which are wall time where the callee lives. */
export function useCampaign(callCode: number | undefined) {
  return useQuery({
    queryKey: ['campaign', callCode],
    enabled: callCode !== undefined,
    queryFn: async () => {
      const { callCodes } = await ask('GET /dialer/callcode', { query: { callCode: [callCode ?? NONE] } })
      const [campaign] = callCodes
      const said = campaign?.callWindows?.[0]?.timeZone
      return {
        name: campaign?.name ?? '',
        script: campaign?.script ?? '',
        zone: said !== undefined && said !== null && isZone(said) ? said : undefined,
      }
    },
  })
}

/** What agents choose from; empty: the campaign takes free words. */
export function useOutcomes(callCode: number | undefined) {
  return useQuery({
    queryKey: ['outcomes', callCode],
    enabled: callCode !== undefined,
    queryFn: () => ask('GET /dialer/callcode/{callCode}/outcomes', { params: { callCode: String(callCode ?? NONE) } }),
  })
}

/** Of the queue with this code, for a call that came in; empty: it takes free words. */
export function useQueueOutcomes(queue: string | null | undefined) {
  return useQuery({
    queryKey: ['queueOutcomes', queue],
    enabled: queue !== undefined,
    queryFn: async () => {
      const found = (await ask('GET /rest/svcpbx/queue', {})).find(({ code }) => code === queue)
      if (!found) return []
      return ask('GET /rest/svcpbx/queue/{ucquId}/outcomes', { params: { ucquId: String(found.ucquId) } })
    },
  })
}

/**
 * The zone in which a callback is promised: where the callee lives; that of this browser, where the campaign says
 * none; undefined, as long as the campaign is not known.
 */
export function useCalleeZone(callCode: number | undefined) {
  const { data, refetch } = useCampaign(callCode)
  const zone = data && (data.zone ?? ownZone())
  return { zone, isTheirs: data?.zone !== undefined, askAgain: async () => void (await refetch()) }
}

/** The zone of this browser. */
export function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}
