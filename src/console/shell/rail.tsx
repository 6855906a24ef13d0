import { Link, useRoute } from 'wouter'
import { Icon } from '../look/icon.tsx'
import { useTexts } from '../texts/language.tsx'
import type { Page } from './page.ts'
import css from './shell.module.css'
import { SHELL_TEXTS } from './shell-texts.ts'

/** The pages that this person may open, on the left; at the bottom of a narrow screen. */
export function Rail({ pages }: { readonly pages: readonly Page[] }) {
  const texts = useTexts(SHELL_TEXTS)
  return (
    <nav className={css.rail} aria-label={texts.pages}>
      {pages.map(({ path, rail }) => rail && <Entry key={path} path={path} {...rail} />)}
    </nav>
  )
}

function Entry({ path, icon, text }: { readonly path: string } & NonNullable<Page['rail']>) {
  const [isHere] = useRoute(`${path}/*?`)
  return (
    <Link href={path} className={css.entry} aria-current={isHere ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{useTexts(SHELL_TEXTS)[text]}</span>
    </Link>
  )
}
