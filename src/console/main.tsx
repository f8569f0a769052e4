import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import './styles/console.css'
import { applyTheme } from './shell/theme.ts'

applyTheme()
createRoot(document.getElementById('root') as HTMLElement).render(<App />)
