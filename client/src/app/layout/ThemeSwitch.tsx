import * as t from "@/texts/layout";
import { IconButton, useTheme } from "@/ui";
import { MoonIcon, SunIcon } from "@/ui/icons";

/** Changes between light and dark. */
export function ThemeSwitch() {
  const [theme, toggle] = useTheme();
  const isDark = theme === "dark";
  return (
    <IconButton label={isDark ? t.lightTheme : t.darkTheme} onClick={toggle}>
      {isDark ? <SunIcon /> : <MoonIcon />}
    </IconButton>
  );
}
