/** What a supervisor does on the board, by the operations; each act's answer is a sentence. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { SwitchboardProblem } from '../../client/problem.ts'
import type { AnswerOf } from '../../client/request.ts'
import { ask } from '../session/ask.ts'
import { useSession } from '../session/use-session.ts'
import type { Language } from '../texts/catalogue.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { spokenRefusal } from '../texts/spoken-refusal.ts'
import { ACT_TEXTS } from './act-texts.ts'
import { CAMPAIGNS_KEY } from './use-directory.ts'

export type Mode = 'listen' | 'whisper' | 'join'

/** What is done to a campaign. */
export type CampaignAct = 'pause' | 'resume' | 'slow' | 'fast'

/** The answer to the last act; `{name}` in it is who or what it was about. */
export interface Said {
  readonly text: string
  readonly name: string
  readonly isRefused: boolean
}

/** `sinceTs`: of the state that was seen to be ended; a later one is not. */
type StateBody =
  | { readonly state: 'ready'; readonly sinceTs?: string }
  | { readonly state: 'paused' | 'loggedOut'; readonly reason: string }

const SUPERVISION_KEY = ['board', 'supervision'] as const
const LOOK_AGAIN_MS = 2_000
/** One may begin in another window, or by an order whose answer was lost. */
const LOOK_FOR_MS = 5_000
const TALKS: ReadonlySet<string> = new Set(['talking', 'wrapUp'])
const BODIES = {
  pause: { active: false },
  resume: { active: true },
  slow: { slowDown: { oneToOne: true } },
  fast: { slowDown: null },
} as const

const SAID = {
  pause: 'saidCampaignPaused',
  resume: 'saidCampaignResumed',
  slow: 'saidSlow',
  fast: 'saidFast',
} as const

interface Act {
  readonly act: () => Promise<string>
  readonly name: string
  /** What is asked for again afterwards: an act whose answer was lost may have been done. */
  readonly changes?: readonly string[]
}

/** All acts of one board. */
export function useActs() {
  const texts = useTexts(ACT_TEXTS)
  const { language } = useLanguage()
  const [said, setSaid] = useState<Said>()
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: ({ act }: Act) => act(),
    onSuccess: (text, { name }) => setSaid({ text, name, isRefused: false }),
    onError: (error, { name }) => setSaid({ text: refusalOf(error, texts, language), name, isRefused: true }),
    onSettled: (_, __, { changes }) => void (changes && client.invalidateQueries({ queryKey: changes })),
  })
  return useMemo(() => {
    return {
      said,
      isPending,
      say: (text: string, name: string) => setSaid({ text, name, isRefused: true }),
      supervise(callId: string, mode: Mode, name: string) {
        const words = { listen: texts.saidListen, whisper: texts.saidWhisper, join: texts.saidJoin }
        const act = async () => {
          const now = await ask('POST /rest/svcpbx/calls/{callId}/supervise', { params: { callId }, body: { mode } })
          return now.state === 'on' ? texts.saidMode : words[now.mode as Mode]
        }
        mutate({ act, name, changes: SUPERVISION_KEY })
      },
      leave(callId: string, name: string) {
        const act = async () => {
          await ask('DELETE /rest/svcpbx/calls/{callId}/supervise', { params: { callId } })
          return texts.saidLeave
        }
        mutate({ act, name, changes: SUPERVISION_KEY })
      },
      setState(userName: string, name: string, body: StateBody) {
        const words = { ready: texts.saidReady, paused: texts.saidPaused, loggedOut: texts.saidLoggedOut }
        const act = async () => {
          const now = await ask('PUT /svcpbx/agents/{userName}/state', { params: { userName }, body })
          if (now.asked === null) return words[body.state]
          return TALKS.has(now.state) ? texts.saidAsked : texts.saidNeeded
        }
        mutate({ act, name })
      },
      change(callCode: number, name: string, what: CampaignAct) {
        const act = async () => {
          await ask('POST /dialer/callcode', { body: Object.assign({ callCode }, BODIES[what]) })
          return texts[SAID[what]]
        }
        mutate({ act, name, changes: CAMPAIGNS_KEY })
      },
    }
  }, [texts, said, isPending, mutate])
}

export type Acts = ReturnType<typeof useActs>

/** The conversation in which this person takes part now, whichever of their pages asked for it. */
export function useSupervision() {
  const { userName } = useSession()
  const own = (talks: AnswerOf<'GET /rest/svcpbx/calls/live'> | undefined) =>
    talks?.find(({ supervision }) => supervision?.supervisor === userName)?.supervision ?? undefined
  const { data } = useQuery({
    queryKey: SUPERVISION_KEY,
    queryFn: () => ask('GET /rest/svcpbx/calls/live'),
    refetchInterval: ({ state }) => (own(state.data) ? LOOK_AGAIN_MS : LOOK_FOR_MS),
  })
  return own(data)
}

type RefusalTexts = Readonly<Record<'refused' | 'unreachable', string>>

/** The sentence of the node says what is in the way. */
function refusalOf(error: unknown, texts: RefusalTexts, language: Language): string {
  if (!(error instanceof SwitchboardProblem)) return texts.unreachable
  if (error.status === 0) return texts.unreachable
  return texts.refused.replace('{why}', () => spokenRefusal(error, language))
}
