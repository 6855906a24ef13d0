/** In place of every page, for somebody whose role needs a second factor and who has none yet (rest-38). */
import { Text } from '@mantine/core'
import { BusyButton } from '../look/busy-button.tsx'
import { askWhoAgain } from '../session/query-client.ts'
import { useSignOut } from '../session/use-session.ts'
import { Front } from '../shell/front.tsx'
import { useTexts } from '../texts/language.tsx'
import { ME_TEXTS } from './me-texts.ts'
import { SecondFactor } from './second-factor.tsx'

/** The page. The address stays as it is: after the last step its page is shown. */
export function EnrolPage() {
  const texts = useTexts(ME_TEXTS)
  const signOut = useSignOut()
  const leave = (
    <BusyButton variant="subtle" isOff={signOut.isPending} onClick={() => signOut.mutate()}>
      {texts.leave}
    </BusyButton>
  )
  return (
    <Front title={texts.enrol} cardWidthPx={560} below={leave}>
      <Text>{texts.enrolWhy}</Text>
      <SecondFactor changed={askWhoAgain} />
    </Front>
  )
}
