/** What is drawn in the moment in which a session ends: a page still knows whose it was, and does not fail. */
import { QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { forgetEverything, queryClient, SESSION_KEY } from '../../src/console/session/query-client.ts'
import { type Session, SessionProvider, useSession, useSessionQuery } from '../../src/console/session/use-session.ts'

const session = { userName: 'anna' } as Session

/** As the session gate does it. */
function Gate() {
  const { data } = useSessionQuery()
  if (!data) return 'login'
  return createElement(SessionProvider, { value: data }, createElement(Ending), createElement(Page))
}

function Ending() {
  forgetEverything()
  return null
}

function Page() {
  return useSession().userName
}

test('a page that is drawn between the end of the session and the login does not fail', () => {
  queryClient.setQueryData(SESSION_KEY, session)
  const drawn = () => renderToString(createElement(QueryClientProvider, { client: queryClient }, createElement(Gate)))
  expect(drawn()).toBe('anna')
  expect(drawn()).toBe('login')
})
