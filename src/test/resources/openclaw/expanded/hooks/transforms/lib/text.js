export const shortened = (text) => String(text).slice(0, 20);
