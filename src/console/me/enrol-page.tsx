/** In place of every page, for somebody whose role needs a second factor and who has none yet (rest-38). */
import { Button, Paper, Stack, Title } from '@mantine/core'
import { useEffect } from 'react'
import { AppearanceButton } from '../look/appearance.tsx'
import { Mark, PRODUCT } from '../look/brand.tsx'
import { askWhoAgain } from '../session/query-client.ts'
import { useSignOut } from '../session/use-session.ts'
import { useTexts } from '../texts/language.tsx'
import css from './me.module.css'
import { ME_TEXTS } from './me-texts.ts'
import { SecondFactor } from './second-factor.tsx'

/** The page. The address stays as it is: after the last step its page is shown. */
export function EnrolPage() {
  const texts = useTexts(ME_TEXTS)
  const signOut = useSignOut()
  useEffect(() => {
    document.title = `${texts.enrol} – ${PRODUCT}`
  }, [texts])
  return (
    <main className={css.enrol}>
      <div className={css.corner}>
        <AppearanceButton />
      </div>
      <div className={css.brand}>
        <Mark size={32} />
        <span>{PRODUCT}</span>
      </div>
      <Paper component="section" withBorder className={css.card} aria-labelledby="title">
        <Stack gap="md">
          <Title order={1} id="title">
            {texts.enrol}
          </Title>
          <p>{texts.enrolWhy}</p>
          <SecondFactor changed={askWhoAgain} />
        </Stack>
      </Paper>
      <Button variant="subtle" loading={signOut.isPending} onClick={() => signOut.mutate()}>
        {texts.leave}
      </Button>
    </main>
  )
}
