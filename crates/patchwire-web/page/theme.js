// Light or dark: the system's setting, until the person chooses.

export function theme(button) {
  const prefers = matchMedia("(prefers-color-scheme: dark)");
  const kept = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  };
  const apply = (chosen) => {
    const isDark = chosen ? chosen === "dark" : prefers.matches;
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    button.setAttribute("aria-pressed", String(isDark));
  };
  button.addEventListener("click", () => {
    const chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("theme", chosen);
    } catch {
      // If nothing may be stored, the choice lasts until the page is left.
    }
    apply(chosen);
  });
  prefers.addEventListener("change", () => apply(kept()));
  apply(kept());
}
