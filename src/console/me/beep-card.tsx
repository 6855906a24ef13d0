/** How loud the beep before a call is, or that there is none. */
import { Group, Radio } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import { RealClock } from '../../kernel/clock.ts'
import { BEEPS, type Beep, beepChoice, keepBeepChoice } from '../phone/beep-choice.ts'
import { Beeper } from '../phone/beeper.ts'
import { useTexts } from '../texts/language.tsx'
import { ME_TEXTS } from './me-texts.ts'

/** Every choice is kept at once, and heard. */
export function BeepCard() {
  const texts = useTexts(ME_TEXTS)
  const [choice, setChoice] = useState(beepChoice)
  const beeper = useMemo(() => new Beeper(new RealClock()), [])
  useEffect(() => () => beeper.close(), [beeper])
  const choose = (chosen: Beep) => {
    keepBeepChoice(chosen)
    setChoice(chosen)
    beeper.beep(chosen, () => {})
  }
  return (
    <Radio.Group
      label={texts.beep}
      description={texts.beepHint}
      value={choice}
      onChange={(chosen) => choose(chosen as Beep)}
    >
      <Group gap="md" mt={8}>
        {BEEPS.map((each) => (
          <Radio key={each} value={each} label={texts[each]} />
        ))}
      </Group>
    </Radio.Group>
  )
}
