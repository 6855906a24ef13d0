import { QueryClient } from '@tanstack/react-query'
import { SwitchboardProblem } from '../../client/problem.ts'
import { giveUp, whenSignedOut } from './ask.ts'

/** The key of the query that says who is signed in. */
export const SESSION_KEY = ['session'] as const

/** Under it lies what was typed and is in memory alone: a page that is loaded again loses it. */
export const UNSAVED_KEY = ['unsaved'] as const

const TRIES_MAX = 2

/** One for the page. What the node refuses is not asked again; what did not arrive is. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (tries, error) => tries < TRIES_MAX && isPassing(error),
    },
  },
})

whenSignedOut(forgetEverything, askWhoAgain)

/** Drops all data: the next person at this computer must not see it. */
export function forgetEverything(): void {
  queryClient.setQueryData(SESSION_KEY, null)
  // The session's own query stays: the page that is shown looks at it.
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] })
  queryClient.getMutationCache().clear()
}

/** Whether anything of it is there. It does not tell of changes. */
export function hasUnsaved(): boolean {
  return queryClient.getQueriesData({ queryKey: UNSAVED_KEY }).some(([, data]) => data !== undefined)
}

/** Who is signed in is asked anew: what they owe the node has changed. */
export function askWhoAgain(): void {
  void queryClient.invalidateQueries({ queryKey: SESSION_KEY })
}

/**
 * In another tab, or by its time: nobody reads on, and nothing is asked for in the name of whoever has signed in there
 * since. It is theirs then, from the beginning.
 */
export function sessionEndedElsewhere(): void {
  forgetEverything()
  giveUp()
  askWhoAgain()
}

function isPassing(error: unknown): boolean {
  return error instanceof SwitchboardProblem && (error.status === 0 || error.status >= 500)
}
