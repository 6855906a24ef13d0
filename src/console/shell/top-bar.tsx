import { Popover, Stack, UnstyledButton } from '@mantine/core'
import { Link } from 'wouter'
import { Appearance } from '../look/appearance.tsx'
import { Mark, PRODUCT } from '../look/brand.tsx'
import { BusyButton } from '../look/busy-button.tsx'
import { Icon } from '../look/icon.tsx'
import { useSession, useSignOut } from '../session/use-session.ts'
import { fill } from '../texts/catalogue.ts'
import { useTexts } from '../texts/language.tsx'
import { plainText } from '../texts/outside-text.ts'
import { PATHS } from './paths.ts'
import css from './shell.module.css'
import { SHELL_TEXTS } from './shell-texts.ts'

/** The product on the left, the person on the right. */
export function TopBar() {
  return (
    <header className={css.bar}>
      <Link href={PATHS.home} className={css.brand}>
        <Mark size={24} />
        <span>{PRODUCT}</span>
      </Link>
      <Account />
    </header>
  )
}

/** The person's name; it opens language, theme and the way out. */
function Account() {
  const texts = useTexts(SHELL_TEXTS)
  const name = plainText(useSession().name)
  const signOut = useSignOut()
  const account = fill(texts.account, { name })
  return (
    <Popover position="bottom-end" trapFocus withinPortal={false}>
      <Popover.Target>
        <UnstyledButton className={css.account} aria-label={account}>
          <bdi className={css.name}>{name}</bdi>
          <Icon name="down" size={16} />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={account}>
        <Stack gap="md">
          <Appearance />
          <BusyButton
            variant="default"
            leftSection={<Icon name="leave" size={16} />}
            isOff={signOut.isPending}
            onClick={() => signOut.mutate()}
          >
            {texts.signOut}
          </BusyButton>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
