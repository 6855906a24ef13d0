/** Language and theme of this browser: the choice itself, and a button that opens it. */
import { Button, Group, Popover, Radio, Stack, useMantineColorScheme } from '@mantine/core'
import { LANGUAGES, type Language } from '../texts/catalogue.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { APPEARANCE_TEXTS, LANGUAGE_NAMES, THEMES } from './appearance-texts.ts'
import { Icon } from './icon.tsx'

/** The choice, as two groups of radio buttons. It takes effect at once. */
export function Appearance() {
  const texts = useTexts(APPEARANCE_TEXTS)
  const { language, choose } = useLanguage()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Stack gap="md">
      <Radio.Group label={texts.language} value={language} onChange={(chosen) => choose(chosen as Language)}>
        <Group gap="md" mt={8}>
          {LANGUAGES.map((each) => (
            <Radio key={each} value={each} label={LANGUAGE_NAMES[each]} lang={each} />
          ))}
        </Group>
      </Radio.Group>
      <Radio.Group
        label={texts.theme}
        value={colorScheme}
        onChange={(chosen) => setColorScheme(chosen as typeof colorScheme)}
      >
        <Group gap="md" mt={8}>
          {THEMES.map((each) => (
            <Radio key={each} value={each} label={texts[each]} />
          ))}
        </Group>
      </Radio.Group>
    </Stack>
  )
}

/** Opens the choice before the login, where there is no account. */
export function AppearanceButton() {
  const texts = useTexts(APPEARANCE_TEXTS)
  return (
    <Popover position="bottom-end" trapFocus withinPortal={false}>
      <Popover.Target>
        <Button variant="default" rightSection={<Icon name="down" size={16} />}>
          {texts.appearance}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.appearance}>
        <Appearance />
      </Popover.Dropdown>
    </Popover>
  )
}
