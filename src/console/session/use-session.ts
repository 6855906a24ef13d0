import { useMutation, useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { SwitchboardProblem } from '../../client/problem.ts'
import type { AnswerOf } from '../../client/request.ts'
import { ask } from './ask.ts'
import { forgetKept } from './kept-here.ts'
import { tellOtherTabs } from './other-tabs.ts'
import { forgetEverything, queryClient, SESSION_KEY } from './query-client.ts'

/** Who is signed in. */
export type Session = AnswerOf<'GET /rest/core/session'>

export type Role = Session['roles'][number]

/** `data` is null: nobody is signed in; undefined: not known yet, or `error` says why not. */
export function useSessionQuery() {
  return useQuery({ queryKey: SESSION_KEY, queryFn: whoAmI, staleTime: Number.POSITIVE_INFINITY })
}

const Context = createContext<Session | undefined>(undefined)

/** Around the pages of somebody who is signed in. */
export const SessionProvider = Context

/**
 * Who is signed in; only for pages, which nobody else sees. What is drawn after the session has ended and before the
 * login takes its place still sees the session: it comes from above, and not from the answers of the node.
 */
export function useSession(): Session {
  const data = useContext(Context)
  if (!data) throw new Error('a page was shown without a session')
  return data
}

/** Signs in with name and password, and the code of whoever has a second factor. */
export function useSignIn() {
  return useMutation({
    mutationFn: (body: { readonly userName: string; readonly password: string; readonly code?: string }) =>
      ask('POST /rest/core/session', { body }),
    onSuccess: (session) => {
      forgetKept(session.userName)
      queryClient.setQueryData(SESSION_KEY, session)
      tellOtherTabs(session.userName)
    },
  })
}

/** The key of every sign-out. */
export const SIGN_OUT_KEY = ['sign-out'] as const

/** Signs out on the node, and forgets all data here. `SignOutAlert` says it where that fails. */
export function useSignOut() {
  return useMutation({
    mutationKey: SIGN_OUT_KEY,
    // Without a network it fails at once, and is said: it would wait without a word.
    networkMode: 'always',
    mutationFn: () => ask('POST /rest/core/session/logout'),
    onSuccess: () => {
      forgetKept()
      forgetEverything()
      tellOtherTabs()
    },
  })
}

/** An address that is locked (429) is the login's to explain: it says for how long. Who is known stays so. */
async function whoAmI(): Promise<Session | null> {
  try {
    return await ask('GET /rest/core/session')
  } catch (error) {
    if (!(error instanceof SwitchboardProblem)) throw error
    if (error.status === 401) return null
    if (error.status === 429) return queryClient.getQueryData<Session>(SESSION_KEY) ?? null
    throw error
  }
}
