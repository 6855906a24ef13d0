/** Shows the login to who has not signed in, the second factor to who owes it, and the pages to everybody else. */
import { Button, Stack, Text } from '@mantine/core'
import { useEffect } from 'react'
import { LoginPage } from './login/login-page.tsx'
import { EnrolPage } from './me/enrol-page.tsx'
import { PAGES } from './pages.tsx'
import { sessionEnded } from './session/session-end.ts'
import { SessionProvider, useSessionQuery } from './session/use-session.ts'
import { AwayPages } from './shell/away-pages.tsx'
import { Shell } from './shell/shell.tsx'
import { SHELL_TEXTS } from './shell/shell-texts.ts'
import { SignOutAlert } from './shell/sign-out-alert.tsx'
import { useTexts } from './texts/language.tsx'

/** The first thing under the root. The address stays as it is: after the login its page is shown. */
export function SessionGate() {
  const { data, isError, refetch } = useSessionQuery()
  const texts = useTexts(SHELL_TEXTS)
  const userName = data?.userName
  useEffect(() => (userName === undefined ? undefined : sessionEnded), [userName])
  if (data) {
    return (
      <SessionProvider key={userName} value={data}>
        {data.owesSecondFactor ? <EnrolPage /> : <Shell pages={PAGES} />}
        <AwayPages pages={PAGES} />
        <SignOutAlert />
      </SessionProvider>
    )
  }
  if (data === null) return <LoginPage />
  if (!isError) return null
  return (
    <Stack component="main" align="center" p="xl" mt="xl" gap="md">
      <Text role="alert">{texts.unreachable}</Text>
      <Button onClick={() => void refetch()}>{texts.again}</Button>
    </Stack>
  )
}
