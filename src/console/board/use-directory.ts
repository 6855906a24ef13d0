/** People, teams and campaigns, which the stream does not tell: asked for now and then. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { AnswerOf } from '../../client/request.ts'
import { ask } from '../session/ask.ts'
import type { Directory } from './board-rows.ts'

const PAGE = 500
/** Our choice: ten times the largest centre that we measure. */
const PEOPLE_MAX = 5_000
const EVERY_MS = 60_000
const CAMPAIGNS_EVERY_MS = 15_000
/** The key of the campaigns: asked for again after an act. */
export const CAMPAIGNS_KEY = ['board', 'campaigns'] as const

/** `isStopped`: the kill switch is on. Undefined while nothing is known; `error` says why. */
export function useDirectory() {
  const users = useQuery({
    queryKey: ['board', 'users'],
    queryFn: everybody,
    refetchInterval: EVERY_MS,
  })
  const campaigns = useQuery({
    queryKey: CAMPAIGNS_KEY,
    queryFn: () => ask('GET /dialer/callcode', { query: { limit: PAGE } }),
    refetchInterval: CAMPAIGNS_EVERY_MS,
  })
  const stop = useQuery({
    queryKey: ['board', 'stop'],
    queryFn: () => ask('GET /dialer/killswitch'),
    refetchInterval: CAMPAIGNS_EVERY_MS,
  })
  const directory = useMemo(
    () => directoryOf(users.data ?? [], campaigns.data?.callCodes ?? []),
    [users.data, campaigns.data],
  )
  return { directory, isStopped: stop.data?.on === true, error: users.error ?? campaigns.error ?? stop.error }
}

/** Who is not known has no team, and would be missing where one is chosen. */
async function everybody(): Promise<Users> {
  const users: Users[number][] = []
  for (let offset = 0; offset < PEOPLE_MAX; offset += PAGE) {
    const page = await ask('GET /rest/core/users', { query: { offset, size: PAGE } })
    users.push(...page)
    if (page.length < PAGE) break
  }
  return users
}

type Users = AnswerOf<'GET /rest/core/users'>
type Campaigns = AnswerOf<'GET /dialer/callcode'>['callCodes']

function directoryOf(users: Users, campaigns: Campaigns): Directory {
  const teams = new Map(users.flatMap(({ queues }) => queues).map((one) => [one.ucquId, one]))
  return {
    people: new Map(
      users.map(({ userName, name, queues }) => [userName, { name, teams: queues.map(({ ucquId }) => ucquId) }]),
    ),
    teams: [...teams.values()].sort((a, b) => a.name.localeCompare(b.name)),
    campaigns: campaigns.map(({ callCode, name, active, queue }) => {
      return { callCode, name, isActive: active, team: queue?.ucquId ?? undefined }
    }),
  }
}
