/** What stays while pages change: the rail of pages, the top bar, and the place of the page. */
import { Suspense, useCallback } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import { useSession } from '../session/use-session.ts'
import { useTexts } from '../texts/language.tsx'
import { useLetterKeys } from './letter-keys.ts'
import { useLetterNavigation } from './letter-navigation.ts'
import type { Page } from './page.ts'
import { PageBoundary } from './page-boundary.tsx'
import { Palette } from './palette.tsx'
import { PATHS } from './paths.ts'
import { Rail } from './rail.tsx'
import css from './shell.module.css'
import { useShellCommands } from './shell-commands.ts'
import { SHELL_TEXTS } from './shell-texts.ts'
import { TopBar } from './top-bar.tsx'

/** For those who have signed in. */
export function Shell({ pages }: { readonly pages: readonly Page[] }) {
  const { roles } = useSession()
  const texts = useTexts(SHELL_TEXTS)
  const open = pages.filter((page) => !page.roles || page.roles.some((role) => roles.includes(role)))
  const start = open[0]?.path ?? PATHS.me
  const [location] = useLocation()
  const [letters] = useLetterKeys()
  useShellCommands(open, letters)
  const reachable = open.map(({ path }) => path).join(' ')
  useLetterNavigation(useCallback((path) => reachable.split(' ').includes(path), [reachable]))
  const bare = open.find(({ isBare, path }) => isBare && path === location)
  if (bare) return <Bare place={location} Page={bare.Page} />
  return (
    <div className={css.shell}>
      <a href="#page" className={css.skip}>
        {texts.skip}
      </a>
      <TopBar />
      <Rail pages={open} />
      <Palette />
      <main id="page" className={css.page} tabIndex={-1}>
        <PageBoundary place={location}>
          <Suspense fallback={<p className={css.note}>{texts.loading}</p>}>
            <Switch>
              {open.map(({ path, Page }) => (
                <Route key={path} path={path} component={Page} />
              ))}
              <Route path={PATHS.home}>
                <Redirect to={start} replace />
              </Route>
              <Route path={PATHS.login}>
                <Redirect to={start} replace />
              </Route>
              <Route>
                <p className={css.note}>
                  {texts.notHere} <Link href={start}>{texts.toStart}</Link>
                </p>
              </Route>
            </Switch>
          </Suspense>
        </PageBoundary>
      </main>
    </div>
  )
}

/** A page with nothing around it. */
function Bare({ place, Page }: Pick<Page, 'Page'> & { readonly place: string }) {
  const texts = useTexts(SHELL_TEXTS)
  return (
    <main id="page">
      <PageBoundary place={place}>
        <Suspense fallback={<p className={css.note}>{texts.loading}</p>}>
          <Page />
        </Suspense>
      </PageBoundary>
    </main>
  )
}
