/** All texts of this folder; the keys are those of English. */
const files = import.meta.glob<Record<string, string>>('./*.json', { eager: true, import: 'default' });

export default Object.assign({}, ...Object.values(files)) as Record<string, string>;
