export * from '../components/overlays/library.tsx';
export { AppItems } from './app-items.tsx';
export { LanguageChoices } from './language-choices.tsx';
export { RangeForm } from './range-form.tsx';
export { ThemeItems } from './theme-items.tsx';
export { UserItems } from './user-items.tsx';
export { WorkspaceChoices } from './workspace-choices.tsx';
