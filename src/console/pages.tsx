/** Every page behind the login, in the order of the rail. A person starts on the first that they may open. */
import { lazy } from 'react'
import type { Page } from './shell/page.ts'
import { PATHS } from './shell/paths.ts'

/** Each is loaded when it is opened first. */
export const PAGES: readonly Page[] = [
  {
    path: PATHS.desk,
    Page: lazy(async () => ({ default: (await import('./desk/desk-page.tsx')).DeskPage })),
    Away: lazy(async () => ({ default: (await import('./desk/desk-page.tsx')).AwayDesk })),
    roles: ['agent'],
    rail: { icon: 'headset', text: 'desk' },
  },
  {
    path: PATHS.board,
    Page: lazy(async () => ({ default: (await import('./board/board-page.tsx')).BoardPage })),
    roles: ['supervisor', 'admin'],
    rail: { icon: 'board', text: 'board' },
  },
  {
    path: PATHS.boardWall,
    Page: lazy(async () => ({ default: (await import('./board/wall-page.tsx')).WallPage })),
    roles: ['supervisor', 'admin'],
    isBare: true,
  },
  {
    path: PATHS.calls,
    Page: lazy(async () => ({ default: (await import('./calls/calls-page.tsx')).CallsPage })),
    rail: { icon: 'phone', text: 'calls' },
  },
  {
    path: PATHS.call,
    Page: lazy(async () => ({ default: (await import('./calls/one-call-page.tsx')).OneCallPage })),
  },
  {
    path: PATHS.me,
    Page: lazy(async () => ({ default: (await import('./me/me-page.tsx')).MePage })),
    rail: { icon: 'person', text: 'me' },
  },
]
